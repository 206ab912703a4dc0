import assert from 'node:assert/strict';
import { readFile, rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { NoContent } from '../../../build/content/find.ts';
import { contentChanges } from '../../../build/diff/diff.ts';
import { DiffError } from '../../../build/diff/git.ts';
import type { ContentChanges } from '../../../build/diff/report.ts';
import {
  type BankFolder,
  examPath,
  type Files,
  sampleExam,
  shiftPath,
  temporaryFolder,
} from '../bank-folder.ts';
import { png } from '../image-bytes.ts';
import { commitContent, type GitContent, git } from './git-folder.ts';
import { chemistry, newMoment, noChanges, oldMoment, physics, question } from './snapshots.ts';

const diagram = `${shiftPath}/diagrams/q1-fall.png`;
const drawn = question('q1', { diagrams: [{ file: 'q1-fall.png', alt: 'A stone' }] });
const [q2, q3] = [question('q2'), question('q3')];

const bank = {
  [examPath]: sampleExam,
  [physics]: { lastUpdated: oldMoment, questions: [drawn, q2] },
  [chemistry]: { lastUpdated: oldMoment, questions: [q3] },
  [diagram]: png(2, 2),
} satisfies Files;

/** Commits the bank, changes it, and returns the diff. */
async function changes(
  change: (bank: BankFolder, content: GitContent) => Promise<unknown>,
): Promise<ContentChanges> {
  const content = await commitContent(bank);
  await change(content.content, content);
  const { ref, commit, ...rest } = await contentChanges(content.content.dir, 'first');
  assert.deepEqual([ref, commit], ['first', await git(content.root, 'rev-parse', 'first')]);
  return rest;
}

describe('The diff of a content folder since a git ref', () => {
  it('is empty if nothing changed', async () => {
    assert.deepEqual(await changes(async () => {}), noChanges);
  });

  it('is empty if files were only formatted, or files were added that are not published', async () => {
    const found = await changes(async (folder) => {
      await folder.write(physics, JSON.stringify(bank[physics]));
      for (const path of [
        'README.md',
        'notes/a.json',
        `${shiftPath}/.hidden.json`,
        `.neet/2024/s1/physics.json`,
      ])
        await folder.write(path, '{');
      await folder.write(`${shiftPath}/new\nline.json`, '{');
      await symlink('physics.json', join(folder.dir, shiftPath, 'link.json'));
    });
    assert.deepEqual(found, noChanges);
  });

  it('has edits of files, committed or not', async () => {
    const biology = `${shiftPath}/biology.json`;
    const hindi = `${shiftPath}/physics.hi.json`;
    const found = await changes(async (folder, { commit }) => {
      await folder.set(physics, '/lastUpdated', newMoment);
      await folder.set(physics, '/questions/1/dropped', true);
      await folder.set(examPath, '/label', 'NEET (UG)');
      await commit();
      await folder.set(chemistry, '/questions/0/topic', 'Other');
      await folder.write(hindi, { lastUpdated: newMoment, questions: [{ id: 'q1', question: 'एक' }] });
      await folder.write(biology, { lastUpdated: newMoment, questions: [question('q4')] });
    });
    const scoring = { answer: 'A', texts: ['metre'], accepted: [], dropped: false };
    assert.deepEqual(found, {
      ...noChanges,
      papers: { added: [biology], removed: [] },
      translations: { ...noChanges.translations, added: [hindi] },
      added: [{ id: 'q4', path: biology }],
      answers: [{ id: 'q2', path: physics, before: scoring, after: { ...scoring, dropped: true } }],
      edits: [{ id: 'q3', path: chemistry, fields: ['topic'] }],
      stale: [{ path: chemistry, before: oldMoment, after: oldMoment, fault: 'same' }],
      exams: [{ path: examPath, change: 'changed' }],
    });
  });

  it('has removed and added papers and moved questions for a renamed shift folder', async () => {
    const moved = 'neet/2024/2024-05-06-s1';
    const found = await changes(({ dir }) => rename(join(dir, shiftPath), join(dir, moved)));
    const to = (path: string) => path.replace(shiftPath, moved);
    assert.deepEqual(found, {
      ...noChanges,
      papers: { added: [to(chemistry), to(physics)], removed: [chemistry, physics] },
      moved: [
        { id: 'q3', from: chemistry, to: to(chemistry) },
        { id: 'q1', from: physics, to: to(physics) },
        { id: 'q2', from: physics, to: to(physics) },
      ],
    });
  });

  it('has only a renumbered question if its diagram was renamed too', async () => {
    const found = await changes(async (folder) => {
      const renumbered = { ...drawn, id: 'q9', diagrams: [{ file: 'q9-fall.png', alt: 'A stone' }] };
      await folder.write(physics, { lastUpdated: newMoment, questions: [renumbered, q2] });
      await rename(join(folder.dir, diagram), join(folder.dir, diagram.replace('q1', 'q9')));
    });
    const [before, after] = [
      { id: 'q1', path: physics },
      { id: 'q9', path: physics },
    ];
    assert.deepEqual(found, { ...noChanges, renumbered: [{ before, after, reused: false }] });
  });

  it('has a changed diagram of an unchanged paper', async () => {
    assert.deepEqual(await changes((folder) => folder.write(diagram, png(3, 3))), {
      ...noChanges,
      diagrams: [diagram],
      edits: [{ id: 'q1', path: physics, fields: ['diagrams'] }],
      stale: [{ path: physics, before: oldMoment, after: oldMoment, fault: 'same' }],
    });
  });

  it('lists files that cannot be parsed', async () => {
    const found = await changes(async (folder) => {
      await folder.write(physics, '{ "questions": [');
      await folder.write(chemistry, Buffer.from([0x7b, 0xff]));
    });
    assert.deepEqual(found, {
      ...noChanges,
      incomparable: [
        { path: chemistry, side: 'after', reason: 'It is not UTF-8.' },
        { path: physics, side: 'after', reason: 'It is not valid JSON.' },
      ],
    });
  });

  it('has all files of a folder that the ref does not have', async () => {
    const { root } = await commitContent({ 'neet/exam.json': '{}' });
    const other = join(root, 'other');
    await rename(join(root, 'content'), other);
    assert.deepEqual((await contentChanges(other, 'main')).exams, [{ path: examPath, change: 'added' }]);
  });

  it('fails without a folder or a repository', async () => {
    const folder = await temporaryFolder();
    await assert.rejects(contentChanges(join(folder, 'none'), 'main'), NoContent);
    await assert.rejects(contentChanges(folder, 'main'), DiffError);
  });

  it('does not change the repository', async () => {
    const { root, content } = await commitContent(bank);
    await content.write(diagram, png(3, 3));
    const index = () => readFile(join(root, '.git/index'));
    const before = await index();
    await contentChanges(content.dir, 'HEAD');
    assert.deepEqual(await index(), before);
  });
});
