import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import glob from 'fast-glob';
import { validateFolder } from '../build/validate-folder.ts';
import { sampleContentDir, sampleQuestions } from './sample-bank.ts';

const questions = await sampleQuestions();

function count(test: (placed: (typeof questions)[number]) => boolean): number {
  return questions.filter(test).length;
}

describe('The sample bank', () => {
  it('has no diagnostics', async () => {
    const { report } = await validateFolder(sampleContentDir);
    assert.deepEqual(report.diagnostics, []);
  });

  it('has two years of each NTA exam, and in each a year with two shifts', () => {
    for (const exam of ['neet', 'jeemain']) {
      const ofExam = questions.filter((placed) => placed.exam === exam);
      assert.ok(new Set(ofExam.map(({ year }) => year)).size >= 2, exam);
    }
    for (const place of ['neet 2024', 'jeemain 2026']) {
      const ofYear = questions.filter(({ exam, year }) => place === `${exam} ${year}`);
      assert.equal(new Set(ofYear.map(({ shift }) => shift)).size, 2);
    }
  });

  it('has printed numbers, sections, labels and a solution for every question', () => {
    for (const { question } of questions) {
      assert.ok(question.number && question.section && question.solution, question.id);
      assert.ok(
        question.options.every(({ label }) => label),
        question.id,
      );
    }
  });

  it('has all subjects and types', () => {
    assert.deepEqual([...new Set(questions.map(({ subject }) => subject))].sort(), [
      'biology',
      'chemistry',
      'mathematics',
      'physics',
      'urdu',
    ]);
    assert.deepEqual([...new Set(questions.map(({ question }) => question.type))].sort(), [
      'mcq',
      'msq',
      'numerical',
      'text',
    ]);
  });

  it('has every optional field of a question', () => {
    const fields = [
      ...[
        'accepted',
        'answerRange',
        'diagrams',
        'dropped',
        'lang',
        'marking',
        'passage',
        'tolerance',
      ],
    ] as const;
    for (const field of fields)
      assert.ok(count(({ question }) => question[field as never] !== undefined) >= 1, field);
    assert.ok(count(({ question }) => question.options.some(({ diagram }) => diagram)) >= 3);
    assert.ok(count(({ question }) => question.answer === undefined) >= 1);
  });

  it('has what a shift can say beside its questions', async () => {
    const files = await glob('*/*/*/shift.json', { cwd: sampleContentDir, absolute: true });
    const shifts = await Promise.all(
      files.map(async (file) => JSON.parse(await readFile(file, 'utf8'))),
    );
    for (const field of ['edition', 'date', 'form', 'answerKey', 'booklet'])
      assert.ok(
        shifts.some((shift) => field in shift),
        field,
      );
    const keys = shifts.map(({ answerKey }) => answerKey?.status).filter(Boolean);
    assert.deepEqual(keys.sort(), ['final', 'provisional']);
  });

  it('has ids that name the place of each question', () => {
    for (const { exam, shift, subject, question } of questions) {
      assert.match(question.id, new RegExp(`^${exam}-${shift}-${subject}-\\d{2}$`));
    }
  });

  it('distributes its right options evenly', () => {
    for (const key of ['A', 'B', 'C', 'D']) {
      const share =
        count(({ question }) => question.answer === key) /
        count(({ question }) => question.type === 'mcq');
      assert.ok(share > 0.2 && share < 0.3, `${key}: ${share}`);
    }
  });
});
