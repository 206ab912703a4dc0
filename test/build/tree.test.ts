/** What a build leaves in a dist folder, whatever was there before. */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { build } from '../../build/build.ts';
import { openDraft } from '../../build/release/draft.ts';
import { readCurrent } from '../../build/release/read.ts';
import { prune, rollBack } from '../../build/release/releases.ts';
import { findDamage } from '../../build/release/verify.ts';
import { makeBank, paperOf, paperPath, sampleQuestions, temporaryFolder } from './bank-folder.ts';
import { canonicalJson } from './canonical-json.ts';
import { bodyPath, responsesOf, richFiles } from './release-folder.ts';

const { mcq } = sampleQuestions;
/** No content file counts as recently written. */
const later = new Date('2100-01-01T00:00:00Z');

/** A bank, and what builds it into one folder. */
async function builtBank() {
  const [bank, distDir, dataDir] = [
    await makeBank(richFiles),
    await temporaryFolder(),
    await temporaryFolder(),
  ];
  const setting = { contentDir: bank.dir, now: later };
  /** @returns the id of the release */
  const run = async (changes: object = {}) => {
    const { publication } = await build({ ...setting, dataDir, ...changes }, distDir);
    return publication?.release.root.id;
  };
  /** Of a build into an empty folder. */
  const fromScratch = async () => {
    const scratch = { ...setting, dataDir: await temporaryFolder() };
    const { publication } = await build(scratch, await temporaryFolder());
    return publication?.release.root.id;
  };
  const edit = (question: string) =>
    bank.write('neet/2023/2023-05-07-s1/chemistry.json', paperOf({ ...mcq, id: 'c1', question }));
  return { bank, distDir, dataDir, run, fromScratch, edit };
}

describe('A build gives the release that a build from scratch gives', () => {
  it('after an edit, from a full folder', async () => {
    const { run, fromScratch, edit } = await builtBank();
    const first = await run();
    await edit('Why?');
    assert.notEqual(await run(), first);
    assert.equal(await run(), await fromScratch());
  });

  it('after a build that failed with errors', async () => {
    const { bank, run, fromScratch, edit } = await builtBank();
    await run();
    await edit('Why?');
    const paper = await readFile(join(bank.dir, paperPath), 'utf8');
    await bank.write(paperPath, '{');
    assert.equal(await run(), undefined);
    await bank.write(paperPath, paper);
    assert.equal(await run(), await fromScratch());
  });

  it('after a rollback', async () => {
    const { distDir, run, fromScratch, edit } = await builtBank();
    await run();
    await edit('Why?');
    const second = await run();
    await rollBack(distDir, undefined, later);
    assert.equal(await run(), second);
    assert.equal(second, await fromScratch());
  });
});

it('prune removes the objects that no release reaches, and none while a build is under way', async () => {
  const { distDir, run, edit } = await builtBank();
  await run();
  const old = await bodyPath(distDir, 'neet/2023/2023-05-07-s1/chemistry.json');
  await edit('Why?');
  await run();
  const kept = await responsesOf(distDir);
  const draft = await openDraft(distDir);
  const { removed } = await prune(distDir, 1, later);
  assert.equal(removed.length, 0);
  await draft.remove();
  const late = new Date('2200-01-01T00:00:00Z');
  const again = await openDraft(distDir);
  assert.equal((await prune(distDir, 1, late)).removed.length, 1);
  await readFile(old);
  await again.remove();
  await prune(distDir, 1, late);
  await assert.rejects(readFile(old), { code: 'ENOENT' });
  assert.deepEqual(await responsesOf(distDir), kept);
  assert.deepEqual((await findDamage(await readCurrent(distDir))).problems, []);
});

it('The index of a year has the questions of its papers in order, with their checksums, also after an edit', async () => {
  const { distDir, run, edit } = await builtBank();
  await run();
  await edit('Why?');
  await run();
  const responses = await responsesOf(distDir);
  const json = (path: string) => JSON.parse(responses.get(path)?.toString() ?? 'null');
  for (const year of ['jeemain/2024', 'neet/2023', 'neet/2024']) {
    const expected = json(year).shifts.flatMap(
      ({ shift, subjects }: { readonly shift: string; readonly subjects: readonly string[] }) =>
        subjects.flatMap((subject) =>
          json(`${year}/${shift}/${subject}.json`).questions.map((question: { id: string }) => [
            ...[question.id, shift, subject],
            hash('sha256', canonicalJson(question)).slice(0, 12),
          ]),
        ),
    );
    const { total, questions } = json(`${year}/questions.json`);
    type Entry = Readonly<Record<string, string>>;
    assert.deepEqual(
      questions.map(({ id, shift, subject, checksum }: Entry) => [id, shift, subject, checksum]),
      expected,
    );
    assert.equal(total, expected.length);
  }
});

it('changes.json names added, removed and changed questions by release, new answers first, and no text', async () => {
  const { bank, distDir, run } = await builtBank();
  const questions = ['a', 'b', 'c'].map((id) => ({ ...mcq, id, question: `Which is ${id}?` }));
  const path = 'neet/2025/2025-05-04-s1/biology.json';
  await bank.write(path, paperOf(...questions));
  await run();
  const [one, two] = questions;
  assert.ok(one && two);
  const answer = two.options?.find(({ key }) => key !== two.answer)?.key ?? 'B';
  await bank.write(
    path,
    paperOf(
      { ...one, question: 'A secret?' },
      { ...two, answer },
      { ...one, id: 'd', question: 'New?' },
    ),
  );
  const release = await run();
  const text = await readFile(join(distDir, 'changes.json'), 'utf8');
  const { version, items } = JSON.parse(text);
  assert.equal(version, 'https://jsonfeed.org/version/1.1');
  assert.equal(items.length, 2);
  assert.equal(items[0]._pastpaper.release, release);
  const [paper, ...others] = items[0]._pastpaper.papers;
  assert.deepEqual(others, []);
  assert.deepEqual(paper, {
    ...{ exam: 'neet', year: 2025, shift: '2025-05-04-s1', subject: 'biology' },
    ...{ added: ['d'], removed: ['c'] },
    changed: [
      { id: 'b', fields: ['answer'] },
      { id: 'a', fields: ['question'] },
    ],
  });
  assert.doesNotMatch(text, /secret|Which is|New\?/);
});

it('changes.json counts the questions of each paper when a release changed more than a thousand', async () => {
  const { bank, distDir, run, edit } = await builtBank();
  await run();
  const questions = Array.from({ length: 501 }, (_, index) => ({ ...mcq, question: `${index}?` }));
  for (const year of ['2024', '2025'])
    await bank.write(
      `neet/${year}/${year}-05-04-s1/biology.json`,
      paperOf(...questions.map((question, index) => ({ ...question, id: `${year}-${index}` }))),
    );
  await edit('Why?');
  await run();
  const { items } = JSON.parse(await readFile(join(distDir, 'changes.json'), 'utf8'));
  const counts = items[0]._pastpaper.papers.map(
    ({ year, subject, added, removed, changed }: Record<string, unknown>) =>
      `${year} ${subject}: ${added} ${removed} ${changed}`,
  );
  assert.deepEqual(counts.toSorted(), [
    '2023 chemistry: 1 1 0',
    '2024 biology: 501 0 0',
    '2025 biology: 501 0 0',
  ]);
});
