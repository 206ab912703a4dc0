import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { paperOf, paperPath, sampleQuestions, shiftPath } from './bank-folder.ts';
import { checksum } from './canonical-json.ts';
import {
  compileExam,
  compileFiles,
  compilePaper,
  drawings,
  everything,
  graph,
  photo,
  received,
  shiftsOf,
} from './compiled-bank.ts';

const { mcq, msq, numerical } = sampleQuestions;

function names(value: object | undefined): string[] {
  return Object.keys(received(value ?? {}));
}

describe('Compiled responses have exactly the fields of the specification, in its order:', () => {
  it('2.3: the question file resource, with its metadata', async () => {
    const file = await compilePaper([mcq, { ...msq, id: 'q2' }]);
    assert.deepEqual(names(file), ['exam', 'year', 'shift', 'subject', 'total', 'questions', 'metadata']);
    assert.deepEqual(names(file.metadata), ['examDate', 'totalQuestions', 'lastUpdated', 'checksum']);
    const { exam, year, shift, subject, total, questions, metadata } = file;
    assert.deepEqual([exam, year, shift, subject], ['neet', 2024, '2024-05-05-s1', 'physics']);
    assert.deepEqual([total, questions.length, metadata.totalQuestions], [2, 2, 2]);
    assert.deepEqual([metadata.examDate, metadata.lastUpdated], ['2024-05-05', '2024-06-01T10:00:00Z']);
  });

  it('2.3: a question, without accepted and dropped if the paper has none', async () => {
    const fields = 'id type question options answer topic difficulty hasDiagram diagrams'.split(' ');
    for (const question of [mcq, msq, numerical]) {
      const { questions } = await compilePaper([question]);
      assert.deepEqual(names(questions[0]), fields);
      assert.deepEqual(questions, [{ ...question, hasDiagram: false, diagrams: [] }]);
    }
    const { questions } = await compilePaper([everything], drawings);
    assert.deepEqual(names(questions[0]), [...fields, 'accepted', 'dropped']);
    assert.deepEqual([questions[0]?.accepted, questions[0]?.dropped], [['A', 'B'], true]);
  });

  it('2.3: a diagram, with file, alt, mediaType, width, height and checksum', async () => {
    const { questions } = await compilePaper([everything, { ...mcq, id: 'q2', diagrams: [] }], drawings);
    const fields = ['file', 'alt', 'mediaType', 'width', 'height', 'checksum'];
    assert.deepEqual(names(questions[0]?.diagrams[0]), fields);
    assert.deepEqual(
      questions.map(({ hasDiagram }) => hasDiagram),
      [true, false],
    );
    assert.deepEqual(
      questions.map(({ diagrams }) => diagrams),
      [
        [
          {
            file: 'q1-graph.svg',
            alt: 'A graph.',
            mediaType: 'image/svg+xml',
            width: 320,
            height: 200,
            checksum: checksum(graph),
          },
          {
            file: 'q1-photo.png',
            alt: 'A photograph.',
            mediaType: 'image/png',
            width: 13,
            height: 7,
            checksum: checksum(photo),
          },
        ],
        [],
      ],
    );
  });

  it('2.3: no $schema, which is for editors', async () => {
    const file = await compilePaper([mcq], {
      [paperPath]: { $schema: '../../../schema/subject-file.schema.json', ...paperOf(mcq) },
    });
    assert.ok(!JSON.stringify(file).includes('$schema'));
  });
});

describe('Compiled responses list', () => {
  let used = 0;
  /** A paper with one question, which has a unique id. */
  function anyPaper() {
    used += 1;
    return paperOf({ ...mcq, id: `q-${used}` });
  }

  it('years newest first', async () => {
    const years = [2019, 2025, 2021, 2008];
    const { resource } = await compileExam(
      Object.fromEntries(years.map((year) => [`neet/${year}/${year}-05-05-s1/physics.json`, anyPaper()])),
    );
    assert.deepEqual(resource.years, [2025, 2024, 2021, 2019, 2008]);
    assert.equal(resource.totalYears, 5);
  });

  it('shifts by date, then by number (s10 after s2)', async () => {
    const shifts = ['04-30-s2', '05-05-s2', '05-05-s10', '05-05-s11', '05-06-s1', '12-01-s1', '04-30-s10'];
    const found = await shiftsOf(
      Object.fromEntries(shifts.map((shift) => [`neet/2024/2024-${shift}/physics.json`, anyPaper()])),
    );
    assert.deepEqual(
      found.map(({ shift }) => shift.slice(5)),
      ['04-30-s2', '04-30-s10', '05-05-s1', '05-05-s2', '05-05-s10', '05-05-s11', '05-06-s1', '12-01-s1'],
    );
  });

  it('subjects in the order of exam.json', async () => {
    const subjects = ['physics', 'biology', 'zoology', 'chemistry', 'botany'];
    const papers = subjects.map((subject) => [`${shiftPath}/${subject}.json`, anyPaper()]);
    const files = { 'neet/exam.json': { label: 'NEET', subjects }, ...Object.fromEntries(papers) };
    const exam = await compileExam(files);
    assert.deepEqual(exam.years[0]?.resource.shifts[0]?.subjects, subjects);
    assert.deepEqual(
      exam.years[0]?.shifts[0]?.papers.map(({ subject }) => subject),
      subjects,
    );
  });

  it('the subjects of the shift, not all of the exam', async () => {
    const [first, second] = await shiftsOf({ 'neet/2024/2024-05-05-s2/biology.json': anyPaper() });
    assert.deepEqual([first?.subjects, second?.subjects], [['physics'], ['biology']]);
  });

  it('questions in the order of the paper', async () => {
    const ids = ['z', 'a', 'm', 'Z'];
    const { questions } = await compilePaper(ids.map((id) => ({ ...mcq, id })));
    assert.deepEqual(
      questions.map(({ id }) => id),
      ids,
    );
  });

  it('the years, shifts and files of each exam separately', async () => {
    const { exams } = await compileFiles({
      'jeemain/exam.json': { label: 'JEE Main', subjects: ['mathematics'] },
      'jeemain/2024/2024-05-05-s1/mathematics.json': anyPaper(),
      'jeemain/2023/2023-01-29-s2/mathematics.json': anyPaper(),
    });
    assert.deepEqual(received(exams.map(({ resource }) => resource)), [
      { exam: 'jeemain', label: 'JEE Main', years: [2024, 2023], totalYears: 2 },
      { exam: 'neet', label: 'NEET', years: [2024], totalYears: 1 },
    ]);
    assert.deepEqual(
      exams.map(({ years }) => years[0]?.shifts.flatMap(({ papers }) => papers.map(({ subject }) => subject))),
      [['mathematics'], ['physics']],
    );
  });
});
