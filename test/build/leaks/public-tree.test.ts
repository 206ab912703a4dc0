import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { html } from '../../../build/site/html.ts';
import { textHtml } from '../../../build/site/paper/text.ts';
import { sampleBank, sampleContentDir, samplePapers } from '../../content/sample-bank.ts';
import { makeBank, temporaryFolder } from '../bank-folder.ts';
import { filesBelow, makeSigningKey, publishedFolder, responsesOf } from '../release-folder.ts';
import { leaksIn, rawQuestions, secretsOf, storedText } from './secrets.ts';

const questions = await rawQuestions(sampleContentDir);
const secrets = secretsOf(questions);
/** What the pages of the sample papers, and the landing page, must not have: everything about the other papers. */
const isOfSample = ({ exam, year, shift, subject }: (typeof questions)[number]) =>
  samplePapers.has(`${exam}/${year}/${shift}/${subject}`);
const otherSecrets = secretsOf(questions.filter((one) => !isOfSample(one)));
/** Names questions. */
const isList = (path: string) => /\/(?:questions|changes)\.json(?:\.|$)/.test(path);
const quotedId = /"[a-z]+-\d{4}-\d\d-\d\d-s\d+-[a-z]+-\d+"/g;
const isOfSamples = (path: string) => /^public\/docs\/(samples\/|index\.html)/.test(path);
// With an earlier release, so that the catalogue lists changes.
const dist = await temporaryFolder();
await publishedFolder((await makeBank()).dir, dist);
const { signer } = await makeSigningKey();
const files = await filesBelow(await publishedFolder(sampleContentDir, dist, signer, sampleBank));
const responses = await responsesOf(dist);
/** Words that the sample papers share with others by chance, as they are served or rendered. */
const shared = leaksIn(
  [
    ...Array.from(samplePapers, (paper) => responses.get(`${paper}.json`)),
    ...questions
      .filter(isOfSample)
      .flatMap(({ question, solution, options }) => [
        question,
        solution,
        ...options.map(({ value }) => value),
      ])
      .map((text = '') => textHtml(text, (file) => html`${file}`, false).text),
  ].join('\n'),
  otherSecrets,
);

describe('The public tree of the sample bank', () => {
  const changes = readFileSync(join(dist, 'changes.json'));
  const publicFiles = [...files].filter(([path]) => path.startsWith('public/'));
  publicFiles.push(['public/changes.json', changes]);

  it('has the pages of the catalogue', () => {
    const found = publicFiles.map(([path]) => path);
    assert.ok(found.includes('public/docs/checksums.txt'));
    for (const path of ['index.html', 'index.html.br', 'index.html.gz', 'neet/index.html'])
      assert.ok(found.includes(`public/docs/catalogue/${path}`), path);
  });

  /** Paths by text, because compressed variants have the same text. */
  const paths = new Map<string, string[]>();
  for (const [path, bytes] of publicFiles) {
    const text = storedText(path, bytes);
    paths.set(text, [...(paths.get(text) ?? []), path]);
  }
  it('has no question, option, answer or diagram in any file, and ids only in the indexes of years and the changes', () => {
    for (const [text, named] of paths) {
      const ofSamples = named.every(isOfSamples);
      const searched = named.every(isList) ? text.replaceAll(quotedId, '') : text;
      const leaks = [...leaksIn(searched, ofSamples ? otherSecrets : secrets)];
      const found = leaks.filter((leak) => !ofSamples || !shared.has(leak));
      assert.deepEqual(found, [], named.join());
    }
  });

  it('has the questions of the sample papers only on their pages and the landing page, and their ids in lists', () => {
    const { strings } = secretsOf(questions.filter((one) => !otherSecrets.strings.has(one.id)));
    const found = [...paths]
      .filter(([text]) => [...strings.keys()].some((name) => text.includes(name)))
      .flatMap(([, named]) => named)
      .filter((path) => !isList(path));
    assert.deepEqual(
      new Set(found.map((path) => path.replace(/\.(br|gz)$/, ''))),
      new Set([
        'public/docs/index.html',
        ...[...samplePapers, 'neet/2026/2026-01-01-s1'].map(
          (path) => `public/docs/samples/${path}/index.html`,
        ),
      ]),
    );
  });

  it('has no question, option, answer, id or diagram in its file names', () => {
    const names = publicFiles.map(([path]) => path);
    const ofSamples = names.filter(isOfSamples);
    assert.ok(ofSamples.length > 0);
    assert.deepEqual([...leaksIn(ofSamples.join('\n'), otherSecrets)], []);
    assert.deepEqual(
      [...leaksIn(names.filter((name) => !isOfSamples(name)).join('\n'), secrets)],
      [],
    );
  });
});

describe('The search for protected data', () => {
  it('finds the id, text, options and diagrams of every question of a protected year', () => {
    const found = new Set(
      [...responses]
        .filter(([path]) => /^neet\/2024\/.+\/.+\.json$/.test(path))
        .flatMap(([path, bytes]) => [...leaksIn(storedText(path, bytes), secrets)]),
    );
    const ofYear = questions.filter(({ exam, year }) => exam === 'neet' && year === '2024');
    for (const { id, options, solution, diagrams = [] } of ofYear) {
      assert.ok(found.has(`the id ${id}`), id);
      assert.ok(found.has(`the text of ${id}`), id);
      const isText = options.some(({ value }) => value !== undefined);
      if (isText && options.every(({ diagram }) => !diagram))
        assert.ok(found.has(`the options of ${id}`), id);
      if (solution !== undefined) assert.ok(found.has(`the solution of ${id}`), id);
      for (const { file } of diagrams) {
        assert.ok(found.has(`the diagram ${file}`), file);
        assert.ok(found.has(`what ${file} shows`), file);
      }
    }
  });

  const first = questions.find((one) => one.id === 'neet-2024-03-01-s1-physics-01');
  const { id, question, options } = first ?? assert.fail();
  const asJson = JSON.stringify({ question });
  const escaped = question.replace(/[&<>"']/g, (sign) => `&#x${sign.charCodeAt(0).toString(16)};`);
  const words = question.split(' ');
  const leaks: readonly [string, string, string][] = [
    ['in a page', `<p>${escaped}</p>`, `the text of ${id}`],
    ['in JSON inside JSON', JSON.stringify({ example: asJson }), `the text of ${id}`],
    ['in a URL', `/search?q=${encodeURIComponent(question)}`, `the text of ${id}`],
    [
      'in base64',
      `data:text/plain;base64,${Buffer.from(question).toString('base64')}`,
      `the text of ${id}`,
    ],
    [
      'with markup between its words',
      words.map((word) => `<i>${word}</i>`).join('\n'),
      `the text of ${id}`,
    ],
    ['that is a part of the text', `... ${words.slice(3, 14).join(' ')} ...`, `the text of ${id}`],
    [
      'that is a list of options',
      options.map(({ key, value }) => `(${key}) ${value}`).join('\n'),
      `the options of ${id}`,
    ],
    ['that is an id in the name of a file', `<img src="${id}-figure.png">`, `the id ${id}`],
  ];
  it('finds data in any form and encoding', () => {
    for (const [where, text, what] of leaks) {
      assert.ok(leaksIn(text, secrets).has(what), where);
      assert.equal(storedText('x.html.br', brotliCompressSync(text)), text);
      assert.equal(storedText('x.html.gz', gzipSync(text)), text);
    }
  });

  it('finds the answer of a numerical question after the word answer', () => {
    const numerical = questions.find(
      ({ type, answer = '' }) => type === 'numerical' && answer.length >= 4,
    );
    const text = JSON.stringify({ answer: numerical?.answer });
    assert.ok(leaksIn(text, secrets).has(`the answer of ${numerical?.id}`));
  });
});
