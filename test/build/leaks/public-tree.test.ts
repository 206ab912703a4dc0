import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { sampleContentDir } from '../../content/sample-bank.ts';
import { type BankFolder, makeFolderOf, temporaryFolder } from '../bank-folder.ts';
import { rawQuestions } from '../catalogue/raw-bank.ts';
import { filesBelow, publishedFolder } from '../release-folder.ts';
import { storedText } from './readings.ts';
import { leaksIn } from './search.ts';
import { secretsOf } from './secrets.ts';

const questions = await rawQuestions(sampleContentDir);
const secrets = secretsOf(questions);
const dist = await temporaryFolder();
// A release before it, in which half the shifts are missing, so that there are changes to tell.
await publishedFolder((await halfOf(sampleContentDir)).dir, dist);
const files = await filesBelow(await publishedFolder(sampleContentDir, dist));

async function halfOf(contentDir: string): Promise<BankFolder> {
  const all = await filesBelow(contentDir);
  const shifts = [...new Set(questions.map(({ shift }) => shift))].sort();
  const left = new Set(shifts.filter((_, index) => index % 2 === 1));
  return makeFolderOf(Object.fromEntries([...all].filter(([path]) => !left.has(path.split('/')[2] ?? ''))));
}

describe('The public tree of the sample bank', () => {
  const open = [...files].filter(([path]) => path.startsWith('public/'));

  it('holds the pages and the list of changes that are searched', () => {
    const found = open.map(([path]) => path);
    for (const path of ['index.html', 'index.html.br', 'index.html.gz', 'neet/index.html', 'changes.json'])
      assert.ok(found.includes(`public/docs/catalogue/${path}`), path);
  });

  /** Files of the same text, however they are compressed. */
  const paths = new Map<string, string[]>();
  for (const [path, bytes] of open) {
    const text = storedText(path, bytes);
    paths.set(text, [...(paths.get(text) ?? []), path]);
  }
  for (const [text, [path, ...others]] of paths) {
    it(`has no question, option, answer, id or diagram in ${path}, nor in ${others.length} like it`, () => {
      assert.deepEqual([...leaksIn(text, secrets)], []);
    });
  }

  it('has none in the names of its files', () => {
    assert.deepEqual([...leaksIn(open.map(([path]) => path).join('\n'), secrets)], []);
  });
});

describe('The search for what needs a key', () => {
  it('finds every question in the protected tree: its id, its text, its options and its diagrams', () => {
    const found = new Set(
      [...files]
        .filter(([path]) => path.startsWith('protected/'))
        .flatMap(([path, bytes]) => [...leaksIn(storedText(path, bytes), secrets)]),
    );
    for (const { id, options, diagrams = [] } of questions) {
      assert.ok(found.has(`the id ${id}`), id);
      assert.ok(found.has(`the text of ${id}`), id);
      if (options.length > 0) assert.ok(found.has(`the options of ${id}`), id);
      for (const { file } of diagrams) {
        assert.ok(found.has(`the diagram ${file}`), file);
        assert.ok(found.has(`what ${file} shows`), file);
      }
    }
  });

  const [first] = questions;
  const { id, question, options } = first ?? assert.fail();
  const asJson = JSON.stringify({ question });
  const escaped = question.replace(/[&<>"']/g, (sign) => `&#x${sign.charCodeAt(0).toString(16)};`);
  const words = question.split(' ');
  const planted: readonly [string, string, string][] = [
    ['in a page', `<p>${escaped}</p>`, `the text of ${id}`],
    ['in JSON', asJson, `the text of ${id}`],
    ['in JSON inside JSON', JSON.stringify({ example: asJson }), `the text of ${id}`],
    ['in an attribute', `<a title="${escaped}">x</a>`, `the text of ${id}`],
    ['in an address', `/search?q=${encodeURIComponent(question)}`, `the text of ${id}`],
    ['in base64', `data:text/plain;base64,${Buffer.from(question).toString('base64')}`, `the text of ${id}`],
    ['with markup between its words', words.map((word) => `<i>${word}</i>`).join('\n'), `the text of ${id}`],
    ['of which a part is left', `... ${words.slice(3, 14).join(' ')} ...`, `the text of ${id}`],
    ['in capitals', question.toUpperCase(), `the text of ${id}`],
    [
      'that is a list of options',
      options.map(({ key, value }) => `(${key}) ${value}`).join('\n'),
      `the options of ${id}`,
    ],
    ['that is an id in the name of a file', `<img src="${id}-figure.png">`, `the id ${id}`],
  ];
  for (const [where, text, what] of planted) {
    it(`finds what is planted ${where}`, () => {
      assert.ok(leaksIn(text, secrets).has(what));
      assert.equal(storedText('x.html.br', brotliCompressSync(text)), text);
      assert.equal(storedText('x.html.gz', gzipSync(text)), text);
    });
  }

  it('finds the answers of a paper in a row', () => {
    const paper = questions.filter(
      ({ shift, subject }) => shift === first?.shift && subject === first.subject,
    );
    const answers = paper.map(({ answer }) => answer);
    const what = `the answers of ${first?.exam}/${first?.shift}/${first?.subject}`;
    for (const text of [answers.join(''), answers.join(', '), `<td>${answers.join('</td><td>')}</td>`])
      assert.ok(leaksIn(text, secrets).has(what), text);
  });

  it('finds the answer of a numerical question where it is said to be one', () => {
    const numerical = questions.find(({ type, answer }) => type === 'numerical' && answer.length >= 4);
    const text = JSON.stringify({ answer: numerical?.answer });
    assert.ok(leaksIn(text, secrets).has(`the answer of ${numerical?.id}`));
  });
});
