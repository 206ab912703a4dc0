/** What only a whole bank shows: what a mistake hides and what it does not, and what exceptions hide. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type Files,
  makeBank,
  paperOf,
  paperPath,
  sampleQuestions,
  shiftPath,
} from './bank-folder.ts';
import { png } from './image-bytes.ts';
import { validateFolder } from './validate-folder.ts';

const { mcq, numerical } = sampleQuestions;
const biologyPath = `${shiftPath}/biology.json`;
const reason = 'An exception for a test.';
const repeated = { ...mcq, id: 'q2' };
const sameText = { ...mcq, options: mcq.options.map((option) => ({ ...option, value: 'm' })) };
const ofRepeated = {
  rule: 'repeated-stem',
  file: paperPath,
  pointer: '/questions/0/question',
  reason,
};
const ofSameText = {
  rule: 'option-texts',
  file: paperPath,
  pointer: '/questions/0/options/1/value',
  reason,
};

/** The rules that a bank breaks, whose biology paper has the same question as its physics paper. */
async function rulesBroken(exceptions: readonly object[], files: Files = {}): Promise<string[]> {
  const bank = await makeBank({
    ...{ [biologyPath]: paperOf(mcq), [paperPath]: paperOf(repeated) },
    ...files,
    'exceptions.json': { exceptions },
  });
  const { diagnostics } = (await validateFolder(bank.dir)).report;
  return diagnostics.map(({ rule, pointer }) => (rule === 'schema' ? `${rule} ${pointer}` : rule));
}

describe('Validation', () => {
  it('reports all that a schema error does not concern: ids, diagrams, answers, texts, and times', async () => {
    const wrong = { ...mcq, difficulty: 'Easy', answer: 'E', width: 2 } as object;
    const passages = [{ id: 'p1', text: 'If a &lt; b.' }];
    const { dir } = await makeBank({
      [paperPath]: { lastUpdated: '2204-06-01T10:00:00Z', questions: [wrong] },
      [biologyPath]: {
        ...{ ...paperOf(), passages },
        questions: [{ ...numerical, passage: 'p1', topik: 'Cells' }],
      },
      // A question of a file that breaks its schema may use the passage.
      [`${shiftPath}/chemistry.json`]: {
        ...paperOf({ ...numerical, id: 'q3', question: 'What is it?' }),
        passages: [{ id: 'p2', text: 'Salt dissolves.' }],
      },
      [`${shiftPath}/diagrams/unused.png`]: png(2, 2),
    });
    const { diagnostics } = (await validateFolder(dir)).report;
    const name = (file: string) => file.slice(shiftPath.length + 1);
    assert.deepEqual(
      diagnostics.map(({ rule, file, pointer }) => `${rule} ${name(file)}${pointer}`),
      [
        'schema biology.json/questions/0/topik',
        'html biology.json/passages/0/text',
        'unused-diagram diagrams/unused.png',
        'updated physics.json/lastUpdated',
        'unique-ids physics.json/questions/0/id',
        'answer-among-options physics.json/questions/0/answer',
        'schema physics.json/questions/0/difficulty',
        'schema physics.json/questions/0/width',
      ],
    );
  });
});

describe('An exception', () => {
  it('is not reported as unneeded while its file cannot be parsed', async () => {
    const files = { [biologyPath]: paperOf({ ...mcq, id: 'q3', question: 'Which?' }) };
    assert.deepEqual(
      await rulesBroken([ofSameText], { ...files, [paperPath]: paperOf(sameText) }),
      [],
    );
    assert.deepEqual(await rulesBroken([ofSameText], { ...files, [paperPath]: '{' }), ['syntax']);
  });

  it('is not reported as unneeded while another file that it depends on cannot be parsed', async () => {
    assert.deepEqual(await rulesBroken([ofRepeated]), []);
    assert.deepEqual(await rulesBroken([ofRepeated], { [biologyPath]: '{' }), ['syntax']);
  });

  it('applies even if another one in the list is invalid', async () => {
    const expected = ['schema /exceptions/1', 'schema /exceptions/1/rule'];
    assert.deepEqual(await rulesBroken([ofRepeated, { rule: 7 }]), expected);
  });

  it('hides no problem of another question, file or folder', async () => {
    for (const name of [
      { question: 'q1' },
      { file: biologyPath },
      { file: 'neet/202' },
      { file: 'neet/2024/*.json' },
    ])
      assert.deepEqual(await rulesBroken([{ rule: 'repeated-stem', ...name, reason }]), [
        'exception',
        'repeated-stem',
      ]);
  });
});
