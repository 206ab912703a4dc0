import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { encode } from '../../../build/publish/encode.ts';
import { type Changes, changesSince } from '../../../build/site/catalogue/changes.ts';
import { examMain, overviewMain } from '../../../build/site/catalogue/pages.ts';
import { examPath, makeBank, paperOf, paperPath, sampleQuestions, temporaryFolder } from '../bank-folder.ts';
import { filesBelow, publishedFolder } from '../release-folder.ts';
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
    ...nasty.topics.map((topic, index) => ({ ...mcq, id: `n${index}`, topic })),
  ),
  'exam1/2023/2023-05-05-s1/general-knowledge.json': paperOf({ ...mcq, id: 'g1', topic: '0' }),
});
const files = await filesBelow(await publishedFolder(bank.dir, await temporaryFolder()));
const pages = new Map(
  [...files]
    .filter(([path]) => path.startsWith('public/docs/catalogue/') && path.endsWith('.html'))
    .map(([path, bytes]) => [path.slice('public'.length, -'index.html'.length), bytes.toString()]),
);
const examPage = pages.get('/docs/catalogue/exam1/') ?? '';

describe('The pages of the catalogue', () => {
  it('are one about the bank and one about each exam', () => {
    assert.deepEqual([...pages.keys()].sort(), [
      '/docs/catalogue/',
      '/docs/catalogue/exam1/',
      '/docs/catalogue/neet/',
    ]);
  });

  it('have no inline scripts, inline styles or event handlers', () => {
    for (const [path, page] of pages) {
      assert.doesNotMatch(
        page,
        /<script(?! (?:type="module" )?src="\/docs\/)|<style|\sstyle=|<img|<iframe|javascript:/i,
        path,
      );
      assert.doesNotMatch(page.replace(/"[^"]*"/g, ''), /<[^>]*\son\w+\s*=/i, path);
    }
  });

  it('escape names', () => {
    assert.ok(textOf(pages.get('/docs/catalogue/') ?? '').includes(nasty.label));
    const table = tableIn(examPage, 'Constructor questions by topic, table').slice(1);
    assert.deepEqual(table.map(([topic]) => topic).sort(), nasty.topics.map((topic) => topic.trim()).sort());
  });

  it('count subjects and topics named like properties of objects', () => {
    assert.equal(numbersIn(examPage, 'Questions by subject, table')['Constructor']?.['All'], 6);
    const [, [topic, ...counts] = []] = tableIn(examPage, 'General knowledge questions by topic, table');
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
    const files = await filesBelow(await publishedFolder(dir, await temporaryFolder()));
    const page = files.get('public/docs/catalogue/neet/index.html')?.toString() ?? '';
    assert.deepEqual(tableIn(page, 'Physics (theory) questions by topic, table'), [
      ['Topic', 'Easy', 'Medium', 'Hard', 'Unrated', 'All'],
      ['Units', '1', '0', '0', '0', '1'],
      ['Unclassified', '0', '0', '0', '2', '2'],
    ]);
    assert.deepEqual(numbersIn(page, 'Questions by difficulty, table')['Unrated'], { Questions: 2 });
    assert.equal(tableIn(page, 'Shifts of 2024')[0]?.[1], 'Physics (theory)');
    assert.match(page, /<li class="key-unrated">/);
    assert.doesNotMatch(examPage, /unrated/i);
  });

  it('list subjects in the order of the exam, not of the papers', () => {
    assert.deepEqual(
      tableIn(examPage, 'Questions by subject, table').map(([subject]) => subject),
      ['Subject', 'General knowledge', 'Constructor'],
    );
  });

  it('have no broken links', () => {
    const places = new Set(
      [...files.keys()].map((path) => path.replace(/^public/, '').replace(/(?<=\/)index\.(html|json)$/, '')),
    );
    for (const [path, page] of pages) {
      for (const [, link = ''] of page.matchAll(/(?:href|src)="([^"]*)"/g)) {
        const { pathname, hash, origin } = new URL(link, `http://here${path}`);
        assert.equal(origin, 'http://here', link);
        assert.ok(places.has(pathname) || places.has(`${pathname}/`), `${path}: ${link}`);
        if (hash)
          assert.ok((pages.get(pathname) ?? page).includes(`id="${hash.slice(1)}"`), `${path}: ${link}`);
      }
    }
  });

  it('have unique ids and unique names of scrolling regions', () => {
    for (const [path, page] of pages) {
      for (const attribute of [/\sid="([^"]*)"/g, /role="region" tabindex="0" aria-label="([^"]*)"/g]) {
        const values = [...page.matchAll(attribute)].map(([, value]) => value);
        assert.ok(values.length > 0);
        assert.equal(new Set(values).size, values.length, path);
      }
    }
  });

  it('skip no level of headings', () => {
    for (const [path, page] of pages) {
      const levels = [...page.matchAll(/<h(\d)/g)].map(([, level]) => Number(level));
      assert.equal(levels[0], 1, path);
      for (const [index, level] of levels.entries())
        assert.ok(level <= (levels[index - 1] ?? 0) + 1 && (level > 1 || index === 0), path);
    }
  });
});

describe('The catalogue of 30 exams with 20 years of 20 shifts', () => {
  const exams = largeCatalogue();
  const years = exams.flatMap(({ code, years }) =>
    years.map(({ year, shifts }) => ({
      exam: code,
      year,
      shifts: shifts.map(({ shift, subjects, total, lastUpdated, checksum }) => ({
        shift,
        subjects,
        total,
        lastUpdated,
        checksum,
      })),
    })),
  );
  const allAdded: Changes | undefined = changesSince({ years: [], changes: undefined }, years);
  const overview = overviewMain(exams, allAdded).text;
  const [exam] = exams;
  const ofExam = examMain(exam ?? assert.fail(), []).text;

  for (const [name, text] of [
    ['about all exams', overview],
    ['about an exam', ofExam],
  ] as const) {
    it(`has a page ${name} below 200 KB, compressed`, async () => {
      const { br, gzip } = await encode(Buffer.from(text), 'text/html', 'public');
      assert.ok(br && gzip && br.length < 200_000 && gzip.length < 200_000, `${br?.length} ${gzip?.length}`);
    });
  }

  it('shows all 600 years of exams in one heat map', () => {
    const counts = numbersIn(overview, 'Questions by exam and year');
    assert.equal(Object.keys(counts).length, 30);
    for (const row of Object.values(counts)) assert.equal(Object.keys(row).length, 21);
  });

  it('counts changes by year if there are too many to list', () => {
    assert.equal(allAdded?.shifts.length, 12_000);
    const [, ...rows] = tableIn(overview, 'Changed years, table');
    assert.equal(rows.length, 600);
    assert.deepEqual(rows[0], ['National Entrance Examination 0', '2007', '20', '0', '0']);
  });

  it('lists every shift of an exam', () => {
    for (const { year, shifts } of exam?.years ?? [])
      assert.deepEqual(
        tableIn(ofExam, `Shifts of ${year}`)
          .slice(1)
          .map(([shift]) => shift),
        shifts.map(({ shift }) => shift),
      );
  });
});
