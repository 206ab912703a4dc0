import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { defaultBank } from '../../../build/release/config.ts';
import { makeBank, shiftPath, temporaryFolder } from '../bank-folder.ts';
import { everyFieldFiles } from '../every-field.ts';
import { decodingsOf, storedText } from '../leaks/secrets.ts';
import { filesBelow, publishedFolder } from '../release-folder.ts';

const folder = 'public/docs/samples';
const sample = `${shiftPath}/physics`;
const bank = { ...defaultBank, samples: [sample, `${shiftPath}/none`] };
const content = await makeBank(everyFieldFiles);
const dist = await temporaryFolder();
const files = await filesBelow(await publishedFolder(content.dir, dist, undefined, bank));

function textOf(path: string): string {
  return files.get(path)?.toString() ?? assert.fail(path);
}

const page = textOf(`${folder}/${sample}/index.html`);

describe('The page of a sample paper', () => {
  it('shows passages, sections, printed numbers and labels, tables, formulas, marks and diagrams', () => {
    for (const part of [
      /<details class="passage" id="question-1-passage" open>/,
      /is bent more<br>\n<span class="line-number">5<\/span> than red\./,
      /<h2>Section B<\/h2>/,
      /<span class="unseen">Question <\/span>Q\.2 \(a\)<\/h2>/,
      /<span class="key"><span>\(1\)<\/span><\/span>/,
      /<th scope="col">Row<\/th>/,
      /<math/,
      /\+4, −1 if wrong, 0 if unanswered/,
      /\+4, −2 if wrong, \+1 for each correct option/,
      /Withdrawn by the exam body/,
    ])
      assert.match(page, part);
    for (const name of ['p1-car.svg', 'q1-a.png', 'q1-b.svg', 'q1-axes.svg'])
      assert.match(
        page,
        new RegExp(`<img src="/docs/samples/${shiftPath}/diagrams/${name}\\?v=\\w{12}"`),
      );
  });

  it('folds answers and solutions, and marks no option', () => {
    const questions = page.slice(page.indexOf('<div class="questions">'));
    const open = questions.replace(/<details class="solution".*?<\/details>/gs, '');
    assert.equal(page.match(/<details class="solution"/g)?.length, 6);
    assert.doesNotMatch(page, /<details class="solution"[^>]* open/);
    assert.match(page, /Answer and solution/);
    assert.doesNotMatch(open, /<dt>|<strong class="mark"|class="option \w|is right/);
  });
});

describe('The page of a complete paper', async () => {
  const subjects = ['physics', 'chemistry'];
  const samples = subjects.map((subject) => `${shiftPath}/${subject}`);
  const release = await publishedFolder(
    (await makeBank(everyFieldFiles)).dir,
    await temporaryFolder(),
    undefined,
    { ...defaultBank, samples },
  );
  const all = await filesBelow(release);
  const complete = all.get(`${folder}/${shiftPath}/index.html`)?.toString() ?? '';

  it('has the questions of all subjects, each with the id of its own page', () => {
    const ids = (text: string | undefined) =>
      Array.from(text?.matchAll(/<article class="question" id="([^"]+)"/g) ?? [], ([, id]) => id);
    const own = samples.flatMap((path) => ids(all.get(`${folder}/${path}/index.html`)?.toString()));
    assert.equal(own.length, 7);
    assert.equal(new Set(own).size, 7);
    assert.deepEqual(ids(complete), own);
    assert.match(complete, /<h2>Physics \(Theory\): Section B<\/h2>/);
    assert.match(complete, new RegExp(`In the API: <code>/${shiftPath}.zip</code>`));
  });

  it('is in the list of samples with the types of its questions, and in the catalogue', () => {
    const link = `<a href="/docs/samples/${shiftPath}/">`;
    const list = all.get(`${folder}/index.html`)?.toString() ?? '';
    assert.ok(list.includes(`${link}<bdi>Complete paper</bdi></a></th>`));
    assert.match(list, /<td>3 multiple choice, 1 multiple select, 2 numerical, 1 short text<\/td>/);
    const catalogue = all.get('public/docs/catalogue/neet/index.html')?.toString() ?? '';
    assert.ok(catalogue.includes(`${link}Complete paper</a>`));
  });
});

describe('Marking a paper as a sample', () => {
  it('publishes a list, its page, its diagrams and what they load, and nothing for a paper that does not exist', () => {
    const paths = [...files.keys()].filter(
      (path) => path.startsWith(folder) && !/\.(br|gz|woff2)$/.test(path),
    );
    assert.deepEqual(
      paths.map((path) => path.slice(folder.length + 1)),
      [
        'index.html',
        ...['p1-car.svg', 'q1-a.png', 'q1-axes.svg', 'q1-b.svg'].map(
          (name) => `${shiftPath}/diagrams/${name}`,
        ),
        `${sample}/index.html`,
        'paper.js',
        'samples.css',
      ],
    );
    assert.match(textOf(`${folder}/index.html`), /<bdi>Physics \(Theory\)<\/bdi><\/a>/);
  });

  it('leaves the other papers of its shift and its translation protected', () => {
    for (const [path, bytes] of files) {
      if (!path.startsWith('public/') || path.endsWith('.woff2')) continue;
      for (const text of decodingsOf(storedText(path, bytes))) {
        assert.ok(!text.includes('Which of these is a metal?'), path);
        assert.doesNotMatch(text, /[\u0900-\u097f]{3}/, path);
      }
    }
  });

  it('links to it from the landing page and the catalogue', () => {
    assert.match(textOf('public/docs/index.html'), /href="\/docs\/samples\/"/);
    assert.match(
      textOf('public/docs/catalogue/neet/index.html'),
      new RegExp(
        `<a href="/docs/samples/${sample}/">Read<span class="unseen"> Physics \\(Theory\\)</span></a>`,
      ),
    );
  });

  it('is the only way to have such pages', async () => {
    const { dir } = await makeBank(everyFieldFiles);
    const without = await filesBelow(await publishedFolder(dir, await temporaryFolder()));
    for (const [path, bytes] of without)
      assert.ok(
        !path.includes('samples') && !(path.endsWith('.html') && bytes.includes('/docs/samples/')),
        path,
      );
  });
});
