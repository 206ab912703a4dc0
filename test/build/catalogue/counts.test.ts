import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { sampleContentDir } from '../../content/sample-bank.ts';
import { temporaryFolder } from '../bank-folder.ts';
import { filesBelow, publishedFolder } from '../release-folder.ts';
import { numbersIn, tableIn } from './page-tables.ts';
import { countBy, rawQuestions } from './raw-bank.ts';

const folder = await publishedFolder(sampleContentDir, await temporaryFolder());
const files = await filesBelow(folder);
const questions = await rawQuestions(sampleContentDir);
const exams = {
  jeeadvanced: 'JEE Advanced sample',
  jeemain: 'JEE Main sample',
  neet: 'NEET sample',
} as const;
const codes = ['jeeadvanced', 'jeemain', 'neet'] as const;
const allYears = [...new Set(questions.map(({ year }) => year))].sort();

function page(path: string): string {
  return files.get(join('public/docs/catalogue', path, 'index.html'))?.toString() ?? assert.fail(path);
}

function json(path: string) {
  return JSON.parse(files.get(`public/${path}/index.json`)?.toString() ?? assert.fail(path));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

describe('The catalogue of all exams counts the questions of the bank', () => {
  it('in its main numbers', () => {
    const figures = [...page('').matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)].map(([, name, value]) => [
      name,
      value,
    ]);
    assert.deepEqual(figures, [
      ['Exams', String(codes.length)],
      ['Years', `${allYears[0]}–${allYears.at(-1)}`],
      ['Shifts', String(new Set(questions.map(({ exam, shift }) => `${exam}/${shift}`)).size)],
      ['Questions', String(questions.length)],
      [
        'Last updated',
        questions
          .map(({ updated }) => updated.slice(0, 10))
          .sort()
          .at(-1),
      ],
    ]);
  });

  it('by exam, sorted by code', () => {
    const expected = codes.map((code) => {
      const ofExam = questions.filter(({ exam }) => exam === code);
      const years = ofExam.map(({ year }) => year).sort();
      return [
        exams[code],
        code,
        years[0] === years.at(-1) ? years[0] : `${years[0]}–${years.at(-1)}`,
        String(new Set(ofExam.map(({ shift }) => shift)).size),
        String(ofExam.length),
        ofExam
          .map(({ updated }) => updated.slice(0, 10))
          .sort()
          .at(-1),
      ];
    });
    assert.deepEqual(tableIn(page(''), 'Exams, table').slice(1), expected);
  });

  it('by exam and year, with a cell for each combination', () => {
    const counts = numbersIn(page(''), 'Questions by exam and year');
    for (const code of codes) {
      const ofExam = questions.filter(({ exam }) => exam === code);
      const { All, ...years } = counts[exams[code]] ?? assert.fail(code);
      const none = Object.fromEntries(allYears.map((year) => [year, 0]));
      assert.deepEqual(years, { ...none, ...countBy(ofExam, ({ year }) => year) });
      assert.equal(All, ofExam.length);
    }
  });

  it('by subject and by difficulty', () => {
    assertTallies(page(''), 'Questions by subject, table', questions, ({ subject }) => subject);
    assertDifficulties(page(''), questions);
  });
});

for (const code of codes) {
  const ofExam = questions.filter(({ exam }) => exam === code);
  describe(`The catalogue of ${exams[code]} counts the questions of the bank`, () => {
    it('by year and month', () => {
      const counts = numbersIn(page(code), 'Questions by year and month');
      const years = [...new Set(ofExam.map(({ year }) => year))].sort();
      assert.deepEqual(
        tableIn(page(code), 'Questions by year and month')
          .slice(1)
          .map(([year]) => year),
        years,
      );
      for (const year of years) {
        const ofYear = ofExam.filter((question) => question.year === year);
        const { All, ...months } = counts[year] ?? assert.fail(year);
        const asked = countBy(ofYear, ({ shift }) => months12[Number(shift.slice(5, 7)) - 1] ?? '');
        assert.deepEqual(months, { ...Object.fromEntries(months12.map((month) => [month, 0])), ...asked });
        assert.equal(All, ofYear.length);
      }
    });

    it('by subject and by difficulty', () => {
      assertTallies(page(code), 'Questions by subject, table', ofExam, ({ subject }) => subject);
      assertDifficulties(page(code), ofExam);
    });

    it('by topic, in each subject', () => {
      for (const subject of new Set(ofExam.map((question) => question.subject))) {
        const ofSubject = ofExam.filter((question) => question.subject === subject);
        const region = `${titled(subject)} questions by topic, table`;
        assertTallies(page(code), region, ofSubject, ({ topic = '' }) => topic);
      }
    });

    it('by shift, as the public API does', () => {
      for (const year of json(code).years) {
        const { shifts } = json(`${code}/${year}`);
        const [head = [], ...rows] = tableIn(page(code), `Shifts of ${year}`);
        assert.deepEqual(
          rows.map((row) => [row[0], ...row.slice(-3)]),
          shifts.map(({ shift, total, lastUpdated, checksum }: Record<string, unknown>) => [
            shift,
            String(total),
            lastUpdated,
            checksum,
          ]),
        );
        for (const [shift, ...cells] of rows) {
          const ofShift = countBy(
            ofExam.filter((question) => question.shift === shift),
            ({ subject }) => titled(subject),
          );
          const subjects = head.slice(1, -3);
          assert.deepEqual(
            Object.fromEntries(subjects.map((subject, index) => [subject, Number(cells[index])])),
            ofShift,
          );
        }
      }
    });
  });
}

const months12 = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function titled(subject: string): string {
  return subject.charAt(0).toUpperCase() + subject.slice(1);
}

function assertTallies(
  text: string,
  region: string,
  counted: typeof questions,
  kindOf: (question: (typeof questions)[number]) => string,
): void {
  const counts = numbersIn(text, region);
  const kinds = countBy(counted, kindOf);
  assert.deepEqual(
    Object.fromEntries(Object.entries(counts).map(([name, { All }]) => [name.toLowerCase(), All])),
    Object.fromEntries(Object.entries(kinds).map(([kind, count]) => [kind.toLowerCase(), count])),
  );
  for (const [name, { Easy = 0, Medium = 0, Hard = 0, All }] of Object.entries(counts)) {
    const ofKind = counted.filter((question) => kindOf(question).toLowerCase() === name.toLowerCase());
    const { easy = 0, medium = 0, hard = 0 } = countBy(ofKind, ({ difficulty = '' }) => difficulty);
    assert.deepEqual([Easy, Medium, Hard], [easy, medium, hard], name);
    assert.equal(sum([Easy, Medium, Hard]), All, name);
  }
}

function assertDifficulties(text: string, counted: typeof questions): void {
  const { easy, medium, hard } = countBy(counted, ({ difficulty = '' }) => difficulty);
  assert.deepEqual(numbersIn(text, 'Questions by difficulty, table'), {
    Easy: { Questions: easy },
    Medium: { Questions: medium },
    Hard: { Questions: hard },
  });
}
