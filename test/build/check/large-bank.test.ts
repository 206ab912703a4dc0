import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { validateContent } from '../../../build/validate.ts';
import {
  type BankFolder,
  type Files,
  makeFolderOf,
  paperOf,
  sampleQuestions,
  temporaryFolder,
  testNow,
} from '../bank-folder.ts';
import { png } from '../image-bytes.ts';
import { validateInThread } from './validate-in-thread.ts';

/** Too many for one thread. */
const papers = 240;

function pathOf(paper: number): string {
  const shift = `2024-01-01-s${Math.floor(paper / 3) + 1}`;
  return `neet/2024/${shift}/${['physics', 'chemistry', 'biology'][paper % 3]}.json`;
}

/** A large bank with problems in many papers. Some can be found only in the whole bank. */
function invalidBank(): Promise<BankFolder> {
  const files: Record<string, Files[string]> = {
    'neet/exam.json': { label: 'NEET', subjects: ['physics', 'chemistry', 'biology'] },
    'neet/2024/2024-01-01-s1/diagrams/q0.png': png(2, 2),
  };
  for (let paper = 0; paper < papers; paper += 1) {
    const question = {
      ...sampleQuestions.mcq,
      id: `q${paper}`,
      question: `What is $x_{${paper}}$?`,
    };
    const invalidFiles: Record<number, object | string> = {
      10: paperOf({ ...question, answer: 'Z' }),
      20: paperOf({ ...question, id: 'q0' }),
      30: paperOf({ ...question, question: 'What is $x_{0}$?' }),
      40: paperOf({ ...question, question: `Set $\\frac{${paper}$.` }),
      50: '{ "lastUpdated": ',
      60: paperOf({ ...question, question: 'Set the same $\\frac{1$.' }),
      70: paperOf({ ...question, question: 'Set once more the same $\\frac{1$.' }),
    };
    files[pathOf(paper)] = invalidFiles[paper % 80] ?? paperOf(question);
  }
  return makeFolderOf(files);
}

const { dir: contentDir } = await invalidBank();

describe('Validation in several threads', () => {
  it('returns the same report as in one thread', async () => {
    const setting = async () => ({ contentDir, dataDir: await temporaryFolder(), now: testNow });
    const report = await validateInThread(await setting());
    assert.deepEqual(await validateContent(await setting()), report);
    const rules = new Set(report.diagnostics.map(({ rule }) => rule));
    for (const rule of ['answer-among-options', 'unique-ids', 'repeated-stem', 'formula', 'syntax'])
      assert.ok(rules.has(rule), rule);
    assert.equal(report.summary.files, papers + 1);
  });
});
