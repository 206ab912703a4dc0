import assert from 'node:assert/strict';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { encode } from '../../../build/publish/encode.ts';
import type { NamedTally } from '../../../build/site/catalogue/catalogue.ts';
import { type Changes, changesSince } from '../../../build/site/catalogue/changes.ts';
import {
  barChart,
  barsOf,
  heatLevels,
  heatMap,
  shadeOf,
} from '../../../build/site/catalogue/charts.ts';
import { examPage, overviewPage } from '../../../build/site/catalogue/pages.ts';
import { html } from '../../../build/site/html.ts';
import { sampleContentDir } from '../../content/sample-bank.ts';
import { sampleRelease } from '../../gateway/sample-release.ts';
import { examPath, makeBank, paperOf, paperPath, sampleQuestions } from '../bank-folder.ts';
import { type RawQuestion, rawQuestions } from '../leaks/secrets.ts';
import { distWithRelease, filesBelow, publishedFolder } from '../release-folder.ts';
import { largeCatalogue } from './large-catalogue.ts';
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
const files = await filesBelow(await publishedFolder(bank.dir, await distWithRelease()));
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
    const table = tableIn(pageOfExam, 'Constructor questions by topic, table').slice(1);
    assert.deepEqual(
      table.map(([topic]) => topic).sort(),
      nasty.topics.map((topic) => topic.trim()).sort(),
    );
  });

  it('count subjects and topics named like properties of objects', () => {
    assert.equal(numbersIn(pageOfExam, 'Questions by subject, table')['Constructor']?.['All'], 6);
    const [, [topic, ...counts] = []] = tableIn(
      pageOfExam,
      'General knowledge questions by topic, table',
    );
    assert.deepEqual([topic, ...counts], ['0', '1', '0', '0', '1']);
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
    const files = await filesBelow(await publishedFolder(dir, await distWithRelease()));
    const page = files.get('public/docs/catalogue/neet/index.html')?.toString() ?? '';
    assert.deepEqual(tableIn(page, 'Physics (theory) questions by topic, table'), [
      ['Topic', 'Easy', 'Medium', 'Hard', 'Unrated', 'All'],
      ['Units', '1', '0', '0', '0', '1'],
      ['Unclassified', '0', '0', '0', '2', '2'],
    ]);
    assert.deepEqual(numbersIn(page, 'Questions by difficulty, table')['Unrated'], {
      Questions: 2,
    });
    assert.equal(tableIn(page, 'Shifts of 2024')[0]?.[1], 'Physics (theory)');
    assert.match(page, /<li class="key-unrated">/);
    assert.doesNotMatch(pageOfExam, /unrated/i);
  });

  it('list subjects in the order of the exam, not of the papers', () => {
    assert.deepEqual(
      tableIn(pageOfExam, 'Questions by subject, table').map(([subject]) => subject),
      ['Subject', 'General knowledge', 'Constructor'],
    );
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
        assert.ok(places.has(pathname) || places.has(`${pathname}/`), `${path}: ${link}`);
        if (hash)
          assert.ok(
            (pages.get(pathname) ?? page).includes(`id="${hash.slice(1)}"`),
            `${path}: ${link}`,
          );
      }
    }
  });

  it('have unique ids and unique names of scrolling regions', () => {
    for (const [path, page] of pages) {
      for (const attribute of [
        /\sid="([^"]*)"/g,
        /role="region" tabindex="0" aria-label="([^"]*)"/g,
      ]) {
        const values = [...page.matchAll(attribute)].map(([, value]) => value);
        assert.ok(values.length > 0);
        assert.equal(new Set(values).size, values.length, path);
      }
    }
  });
});

describe('The catalogue of 30 exams with 20 years of 20 shifts', () => {
  const exams = largeCatalogue();
  const years = exams.flatMap(({ code, years }) =>
    years.map(({ year, shifts }) => ({
      exam: code,
      year,
      shifts: shifts.map(({ counts: _, ...summary }) => summary),
    })),
  );
  const allAdded: Changes | undefined = changesSince({ years: [], changes: undefined }, years);
  const overview = overviewPage(exams, allAdded).main.text;
  const [exam] = exams;
  const ofExam = examPage(exam ?? assert.fail(), []).main.text;

  it('has pages below 200 KB, compressed', async () => {
    for (const text of [overview, ofExam]) {
      const { br, gzip } = await encode(Buffer.from(text), 'text/html', 'public');
      assert.ok(
        br && gzip && br.length < 200_000 && gzip.length < 200_000,
        `${br?.length} ${gzip?.length}`,
      );
    }
  });

  it('counts changes by year if there are too many to list', () => {
    assert.equal(allAdded?.shifts.length, 12_000);
    const [, ...rows] = tableIn(overview, 'Changed years, table');
    assert.equal(rows.length, 600);
    assert.deepEqual(rows[0], ['National Entrance Examination 0', '2007', '20', '0', '0']);
  });
});

const sampleFiles = await filesBelow(await realpath(join(await sampleRelease(), 'current')));
const questions = await rawQuestions(sampleContentDir);
const exams = {
  jeeadvanced: 'JEE Advanced sample',
  jeemain: 'JEE Main sample',
  neet: 'NEET sample',
} as const;
const codes = ['jeeadvanced', 'jeemain', 'neet'] as const;
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

  it('by exam and year, subject and difficulty', () => {
    const byExam = (question: RawQuestion) => exams[question.exam as keyof typeof exams];
    assertGrid(page(''), 'Questions by exam and year', questions, byExam, ({ year }) => year);
    assertTallies(page(''), 'Questions by subject, table', questions, ({ subject }) => subject);
    assertDifficulties(page(''), questions);
  });
});

for (const code of codes) {
  const ofExam = questions.filter(({ exam }) => exam === code);
  describe(`The catalogue of ${exams[code]} counts the questions of the bank`, () => {
    it('by year and month, subject, topic and difficulty', () => {
      const monthOf = ({ shift }: RawQuestion) => months12[Number(shift.slice(5, 7)) - 1] ?? '';
      assertGrid(page(code), 'Questions by year and month', ofExam, ({ year }) => year, monthOf);
      assertTallies(page(code), 'Questions by subject, table', ofExam, ({ subject }) => subject);
      assertDifficulties(page(code), ofExam);
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
          rows.map((row) => [row[0]?.split(' ')[0], ...row.slice(-3)]),
          shifts.map(({ shift, total, lastUpdated, checksum }: Record<string, unknown>) => [
            shift,
            String(total),
            lastUpdated,
            checksum,
          ]),
        );
        for (const [named = '', ...cells] of rows) {
          const [shift] = named.split(' ');
          const ofShift = countBy(
            ofExam.filter((question) => question.shift === shift),
            ({ subject }) => titled(subject),
          );
          const subjects = head.slice(1, -3);
          assert.deepEqual(
            subjects.map((_, index) => Number(cells[index])),
            subjects.map((subject) => ofShift[subject] ?? 0),
          );
        }
      }
    });
  });
}

/** Asserts the numbers of a table with a row for each kind, a column for each other kind, and a sum. */
function assertGrid(
  text: string,
  region: string,
  counted: typeof questions,
  rowOf: (question: RawQuestion) => string,
  columnOf: (question: RawQuestion) => string,
): void {
  const rows = numbersIn(text, region);
  assert.deepEqual(Object.keys(rows).sort(), [...new Set(counted.map(rowOf))].sort());
  for (const [name, { All, ...columns }] of Object.entries(rows)) {
    const ofRow = counted.filter((question) => rowOf(question) === name);
    const shown = Object.entries(columns).filter(([, count]) => count > 0);
    assert.deepEqual(Object.fromEntries(shown), countBy(ofRow, columnOf));
    assert.equal(All, ofRow.length);
  }
}

const months12 = [
  'Jan',
  'Feb',
  'Mar',
  'Apr',
  'May',
  'Jun',
  'Jul',
  'Aug',
  'Sep',
  'Oct',
  'Nov',
  'Dec',
];

function titled(subject: string): string {
  return subject.charAt(0).toUpperCase() + subject.slice(1);
}

function assertTallies(
  text: string,
  region: string,
  counted: typeof questions,
  kindOf: (question: RawQuestion) => string,
): void {
  const counts = numbersIn(text, region);
  const kinds = countBy(counted, kindOf);
  assert.deepEqual(
    Object.fromEntries(Object.entries(counts).map(([name, { All }]) => [name.toLowerCase(), All])),
    Object.fromEntries(Object.entries(kinds).map(([kind, count]) => [kind.toLowerCase(), count])),
  );
  for (const [name, { Easy = 0, Medium = 0, Hard = 0, All }] of Object.entries(counts)) {
    const ofKind = counted.filter(
      (question) => kindOf(question).toLowerCase() === name.toLowerCase(),
    );
    const { easy = 0, medium = 0, hard = 0 } = countBy(ofKind, ({ difficulty = '' }) => difficulty);
    assert.deepEqual([Easy, Medium, Hard], [easy, medium, hard], name);
    assert.equal(Easy + Medium + Hard, All, name);
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

function row(name: string, easy: number, medium: number, hard: number, unrated = 0): NamedTally {
  return { name, tally: { easy, medium, hard, unrated } };
}

function chartOf(rows: readonly NamedTally[]): string {
  return barChart({ title: 'Questions by topic', noun: 'topic', rows }).text;
}

describe('The bars of a chart', () => {
  it('follow each other from the left, in proportion to their counts, without those of 0', () => {
    const [bar, none] = barsOf([row('Optics', 10, 5, 25), row('Waves', 0, 0, 0)], 80);
    assert.deepEqual(bar, [
      { difficulty: 'easy', count: 10, left: 0, width: 12.5 },
      { difficulty: 'medium', count: 5, left: 12.5, width: 6.25 },
      { difficulty: 'hard', count: 25, left: 18.75, width: 31.25 },
    ]);
    assert.deepEqual(none, []);
  });
});

describe('A chart', () => {
  const rows = [row('Optics', 4, 3, 2), row('Waves', 0, 1, 0)];

  it('describes each bar in words', () => {
    assert.match(chartOf(rows), /<ul class="chart" aria-label="Bar chart: Questions by topic">/);
    const words = [...chartOf(rows).matchAll(/role="img" aria-label="(.*?)"/g)].map(
      ([, label]) => label,
    );
    assert.deepEqual(words, ['4 easy, 3 medium, 2 hard', '1 medium']);
  });

  it('shows the same numbers as its table', () => {
    const drawn = [...chartOf(rows).matchAll(/<text class="on-(\w+)".*?>(.*?)<\/text>/g)];
    assert.deepEqual(
      drawn.map(([, difficulty, count]) => `${count} ${difficulty}`),
      ['4 easy', '3 medium', '2 hard', '1 medium'],
    );
    const names = [...chartOf(rows).matchAll(/<li>(.*?)<svg/gs)].map(([, name = '']) =>
      textOf(name),
    );
    assert.deepEqual(names, ['Optics 9', 'Waves 1']);
    const cells = chartOf(rows).replaceAll(/ data-name="\w+"/g, '');
    assert.match(cells, /<th scope="row">Optics<\/th><td>4<\/td><td>3<\/td><td>2<\/td><td>9<\/td>/);
  });

  it('shows the first rows only, and says how many more the table has', () => {
    const many = Array.from({ length: 400 }, (_, index) => row(`Topic ${index}`, 0, 3, 0));
    const svg = chartOf(many);
    assert.equal(svg.match(/<rect/g)?.length, 24);
    assert.equal(svg.match(/<tr>/g)?.length, 401);
    assert.ok(textOf(svg).includes('376 more topics with 1,128 questions in the table.'));
  });

  it('shows a number that does not fit as a tooltip', () => {
    const svg = chartOf([row('Optics', 1, 0, 999)]);
    assert.ok(svg.includes('>999</text>') && !svg.includes('<title>999'));
    assert.ok(!svg.includes('>1</text>') && svg.includes('<title>1 easy</title>'));
  });
});

describe('The levels of a heat map', () => {
  it('give every count one shade, and a larger count no lighter one', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (most, share) => {
          const levels = heatLevels(most);
          const count = Math.max(1, Math.floor(most * share));
          const [shade, next] = [
            shadeOf(levels, count),
            shadeOf(levels, Math.min(most, count + 1)),
          ];
          assert.ok(levels.length <= 5);
          assert.ok(
            shade !== undefined && next !== undefined && 1 <= shade && shade <= next && next <= 5,
          );
          assert.equal(levels.filter(({ from, to }) => from <= count && count <= to).length, 1);
          assert.equal(shadeOf(levels, most), 5);
        },
      ),
    );
  });

  it('have no shade for 0', () => assert.equal(shadeOf(heatLevels(10), 0), undefined));
});

describe('A heat map', () => {
  const map = heatMap(
    'Questions by exam and year',
    ['2025', '2024'],
    [
      { name: html`${'A & B'}`, counts: [0, 1200] },
      { name: html`${'<i>'}`, counts: [600, 40] },
    ],
  ).text;

  it('shows the number in every shaded cell', () => {
    const cells = [...map.matchAll(/<td class="shade-(\d)">([\d,]+)<\/td>/g)].map(
      ([, shade, count]) => [count, shade],
    );
    assert.deepEqual(cells, [
      ['1,200', '5'],
      ['600', '3'],
      ['40', '2'],
    ]);
    assert.match(map, /<td class="none"><span class="unseen">0<\/span><\/td>/);
  });

  it('explains its shades', () => {
    assert.match(textOf(map), /1–499 500–999 1,000–1,200/);
  });
});
