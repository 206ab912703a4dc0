import assert from 'node:assert/strict';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { sampleContentDir } from '../../content/sample-bank.ts';
import { sampleRelease } from '../../gateway/sample-release.ts';
import {
  examPath,
  makeBank,
  paperOf,
  paperPath,
  sampleQuestions,
  temporaryFolder,
} from '../bank-folder.ts';
import { type RawQuestion, rawQuestions } from '../leaks/secrets.ts';
import { filesBelow, publishedFolder } from '../release-folder.ts';
import { numbersIn, tableIn, textOf } from './page-tables.ts';

const { mcq } = sampleQuestions;

const nasty = {
  label: `<script>alert(1)</script> & "Exam" 'of' names`,
  topics: [
    '</Title></Svg><Img src=x onerror=alert(1)>',
    `" onmouseover="alert(1)`,
    '<! ]]> {{7*7}} & &amp',
    'A topic whose name is as long as the schema lets it be, '.repeat(2).slice(0, 100),
    '電磁誘導 · संभावना · ميكانيكا',
    '__proto__',
  ],
} as const;

const bank = await makeBank({
  'exam1/exam.json': { label: nasty.label, subjects: ['general-knowledge', 'constructor'] },
  'exam1/2024/2024-05-05-s1/constructor.json': paperOf(
    ...nasty.topics.map((topic, index) => ({
      ...mcq,
      id: `n${index}`,
      question: `Is it ${index}?`,
      topic,
    })),
  ),
  'exam1/2023/2023-05-05-s1/general-knowledge.json': paperOf({ ...mcq, id: 'g1', topic: '0' }),
});
const files = await filesBelow(await publishedFolder(bank.dir, await temporaryFolder()));
const pages = new Map(
  [...files]
    .filter(([path]) => path.startsWith('public/docs/catalogue/') && path.endsWith('.html'))
    .map(([path, bytes]) => [path.slice('public'.length, -'index.html'.length), bytes.toString()]),
);
const pageOfExam = pages.get('/docs/catalogue/exam1/') ?? '';

describe('The pages of the catalogue', () => {
  it('are one about the bank and one about each exam', () => {
    assert.deepEqual([...pages.keys()].sort(), [
      '/docs/catalogue/',
      '/docs/catalogue/exam1/',
      '/docs/catalogue/neet/',
    ]);
  });

  it('escape names', () => {
    assert.ok(textOf(pages.get('/docs/catalogue/') ?? '').includes(nasty.label));
    const table = tableIn(pageOfExam, 'Constructor questions by topic, table').slice(1, -1);
    assert.deepEqual(
      table.map(([topic]) => topic).sort(),
      nasty.topics.map((topic) => topic.trim()).sort(),
    );
  });

  it('show display names of subjects, and count what is unrated or unclassified last', async () => {
    const { topic, difficulty, ...bare } = mcq;
    const { dir } = await makeBank({
      [examPath]: { label: 'NEET', subjects: [{ code: 'physics', label: 'Physics (theory)' }] },
      [paperPath]: paperOf(
        { ...bare, question: 'One?' },
        { ...bare, id: 'q2', question: 'Two?' },
        { ...mcq, id: 'q3', question: 'Three?' },
      ),
    });
    const files = await filesBelow(await publishedFolder(dir, await temporaryFolder()));
    const page = files.get('public/docs/catalogue/neet/index.html')?.toString() ?? '';
    assert.deepEqual(tableIn(page, 'Physics (theory) questions by topic, table'), [
      ['Topic', 'Easy', 'Medium', 'Hard', 'Unrated', 'All'],
      ['Units', '1', '0', '0', '0', '1'],
      ['Unclassified', '0', '0', '0', '2', '2'],
      ['All topics', '1', '0', '0', '2', '3'],
    ]);
    assert.equal(tableIn(page, 'Papers')[0]?.[2], 'Physics (theory)');
    assert.doesNotMatch(pageOfExam, /unrated/i);
  });

  it('have no broken links', () => {
    const places = new Set(
      [...files.keys()].map((path) =>
        path.replace(/^public/, '').replace(/(?<=\/)index\.(html|json)$/, ''),
      ),
    );
    for (const [path, page] of pages) {
      for (const [, link = ''] of page.matchAll(/(?:href|src)="([^"]*)"/g)) {
        const { pathname, hash, origin } = new URL(link, `http://here${path}`);
        assert.equal(origin, 'http://here', link);
        // The feed is beside the releases.
        if (link === '/changes.json') continue;
        assert.ok(places.has(pathname) || places.has(`${pathname}/`), `${path}: ${link}`);
        if (hash)
          assert.ok(
            (pages.get(pathname) ?? page).includes(`id="${hash.slice(1)}"`),
            `${path}: ${link}`,
          );
      }
    }
  });
});

const sampleFiles = await filesBelow(await realpath(join(await sampleRelease(), 'current')));
const questions = await rawQuestions(sampleContentDir);
const exams = {
  jeeadvanced: 'JEE Advanced sample',
  jeemain: 'JEE Main sample',
  matric: 'میٹرک (نمونہ)',
  neet: 'NEET sample',
} as const;
const codes = ['jeeadvanced', 'jeemain', 'matric', 'neet'] as const;
const allYears = [...new Set(questions.map(({ year }) => year))].sort();

function page(path: string): string {
  return (
    sampleFiles.get(join('public/docs/catalogue', path, 'index.html'))?.toString() ??
    assert.fail(path)
  );
}

function json(path: string) {
  return JSON.parse(sampleFiles.get(`public/${path}/index.json`)?.toString() ?? assert.fail(path));
}

function lastUpdateOf(counted: typeof questions): string | undefined {
  const dates = counted.map(({ updated }) => updated.slice(0, 10));
  return dates.sort().at(-1);
}

describe('The catalogue of all exams counts the questions of the bank', () => {
  it('in its main numbers', () => {
    const figures = [...page('').matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)].map(
      ([, name, value]) => [name, value],
    );
    assert.deepEqual(figures, [
      ['Exams', String(codes.length)],
      ['Years', `${allYears[0]}–${allYears.at(-1)}`],
      ['Shifts', String(new Set(questions.map(({ exam, shift }) => `${exam}/${shift}`)).size)],
      ['Questions', String(questions.length)],
      ['Last updated', lastUpdateOf(questions)],
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
        lastUpdateOf(ofExam),
      ];
    });
    assert.deepEqual(tableIn(page(''), 'Exams, table').slice(1), expected);
  });
});

for (const code of codes) {
  const ofExam = questions.filter(({ exam }) => exam === code);
  describe(`The catalogue of ${exams[code]} counts the questions of the bank`, () => {
    it('by subject, topic and difficulty', () => {
      for (const subject of new Set(ofExam.map((question) => question.subject))) {
        const ofSubject = ofExam.filter((question) => question.subject === subject);
        const region = `${titled(subject)} questions by topic, table`;
        assertTallies(page(code), region, ofSubject);
      }
    });

    it('by shift, as the public API does', () => {
      for (const year of json(code).years) {
        const { shifts } = json(`${code}/${year}`);
        const [head = [], ...papers] = tableIn(page(code), 'Papers');
        const rows = papers.filter(([ofRow]) => ofRow === String(year)).map(([, ...row]) => row);
        assert.deepEqual(
          rows.map((row) => [row[0]?.split(' ')[0], ...row.slice(-2)]),
          shifts.map(({ shift, total, lastUpdated }: Record<string, unknown>) => [
            shift,
            String(total),
            lastUpdated,
          ]),
        );
        for (const [named = '', ...cells] of rows) {
          const [shift] = named.split(' ');
          const ofShift = countBy(
            ofExam.filter((question) => question.shift === shift),
            ({ subject }) => titled(subject),
          );
          const subjects = head.slice(2, -2);
          assert.deepEqual(
            subjects.map((_, index) => Number.parseInt(cells[index] ?? '', 10) || 0),
            subjects.map((subject) => ofShift[subject] ?? 0),
          );
        }
      }
    });
  });
}

function titled(subject: string): string {
  return subject.charAt(0).toUpperCase() + subject.slice(1);
}

/** Checks the table of a subject, whose last row is the sum of topics, if there are several. */
function assertTallies(text: string, region: string, counted: typeof questions): void {
  const tallyOf = (some: typeof questions) => {
    const { easy = 0, medium = 0, hard = 0 } = countBy(some, ({ difficulty = '' }) => difficulty);
    return { Easy: easy, Medium: medium, Hard: hard, All: some.length };
  };
  const topicOf = ({ topic = 'Unclassified' }: RawQuestion) => topic;
  const topics = [...new Set(counted.map(topicOf))];
  const expected = topics.map((name) => [
    name,
    tallyOf(counted.filter((question) => topicOf(question) === name)),
  ]);
  if (topics.length > 1) expected.push(['All topics', tallyOf(counted)]);
  assert.deepEqual(numbersIn(text, region), Object.fromEntries(expected));
}

/** Counts questions by kind. */
function countBy(
  counted: typeof questions,
  kindOf: (question: RawQuestion) => string,
): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const question of counted) {
    const kind = kindOf(question);
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}
