import assert from 'node:assert/strict';
import { chmod, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { describe, it } from 'node:test';
import { contentChanges } from '../../../build/diff/diff.ts';
import { changedFiles, openRef } from '../../../build/diff/git.ts';
import { UserError } from '../../../build/release/user-error.ts';
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
import { chemistry, linesOf, newMoment, oldMoment, physics, question, stale } from './snapshots.ts';

const files = {
  'neet/exam.json': 'exam',
  'neet/2024/s1/physics.json': 'physics',
  'neet/2024/s1/a.json': 'a',
  'neet/2024/s1/b.json': 'b',
};

/** Commits content, changes it, and returns the changed files. */
async function changed(change: (content: GitContent) => Promise<unknown>, before: Files = files) {
  const content = await commitContent(before);
  await change(content);
  return changedFiles(content.content.dir, 'main');
}

function says(pattern: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof UserError && pattern.test(error.message);
}

describe('The files that differ from a git ref', () => {
  it('include changed, staged, removed, renamed, untracked and ignored files, and none outside', async () => {
    const found = await changed(async ({ root, content }) => {
      await content.write('neet/exam.json', 'other');
      await content.write('neet/2024/s1/physics.json', 'staged');
      await git(root, 'add', 'content/neet/2024/s1/physics.json');
      await content.remove('neet/2024/s1/a.json');
      await content.write('neet/2024/s1/new.json', 'new');
      await content.write('.gitignore', 'ignored.json');
      await writeFile(join(root, 'README'), 'beside');
      await rename(
        join(content.dir, 'neet/2024/s1/b.json'),
        join(content.dir, 'neet/renamed.json'),
      );
      await content.write('neet/2024/s1/ignored.json', 'ignored');
    });
    assert.deepEqual(found, [
      '.gitignore',
      'neet/2024/s1/a.json',
      'neet/2024/s1/b.json',
      'neet/2024/s1/ignored.json',
      'neet/2024/s1/new.json',
      'neet/2024/s1/physics.json',
      'neet/exam.json',
      'neet/renamed.json',
    ]);
  });

  it('can have names with any characters and bytes', async () => {
    const awkward = ['a b', '"quoted"', 'new\nline', 'tab\t', 'ünï', ':!x', '-x'];
    const names = awkward.map((name) => `${name}.json`);
    const tracked = Object.fromEntries(names.map((name) => [name, 'before']));
    const found = await changed(async ({ content }) => {
      for (const name of names) await writeFile(join(content.dir, name), 'after');
      await writeFile(
        Buffer.concat([Buffer.from(`${content.dir}/latin`), Buffer.from([0xe9])]),
        'new',
      );
    }, tracked);
    assert.deepEqual(found, [...names, 'latin\ufffd'].sort());
  });

  it('are found if the content folder is the root of the repository, or a symbolic link to it', async () => {
    const { root, content } = await commitContent(files, '');
    await content.write('neet/exam.json', 'other');
    const link = join(await temporaryFolder(), 'link');
    await symlink(root, link);
    assert.deepEqual(await changedFiles(root, 'main'), ['neet/exam.json']);
    assert.deepEqual(await changedFiles(link, 'main'), ['neet/exam.json']);
  });

  it('do not depend on the configuration of git', async () => {
    const settings = {
      'color.ui': 'always',
      'core.quotePath': 'true',
      'diff.external': '/bin/false',
      'diff.relative': 'false',
      'diff.renames': 'copies',
      'diff.noprefix': 'true',
      'diff.orderFile': '/no/such/file',
      'diff.autoRefreshIndex': 'false',
      'diff.ignoreSubmodules': 'all',
      'core.fsmonitor': '/bin/false',
      'core.pager': '/bin/false',
      'pager.diff': 'true',
      'status.showUntrackedFiles': 'no',
    };
    const found = await changed(async ({ root, content }) => {
      for (const [name, value] of Object.entries(settings)) await git(root, 'config', name, value);
      await utimes(join(content.dir, 'neet/2024/s1/a.json'), 1, 1);
      await content.write('neet/exam.json', 'other');
      await content.write('neet/ü.json', 'new');
    });
    assert.deepEqual(found, ['neet/exam.json', 'neet/ü.json']);
  });

  it('are found in a git hook, which has GIT_DIR and GIT_INDEX_FILE', async () => {
    const { content } = await commitContent(files);
    await content.write('neet/exam.json', 'other');
    process.env['GIT_DIR'] = '/nowhere/.git';
    process.env['GIT_INDEX_FILE'] = '/nowhere/index';
    try {
      assert.deepEqual(await changedFiles(content.dir, 'main'), ['neet/exam.json']);
    } finally {
      delete process.env['GIT_DIR'];
      delete process.env['GIT_INDEX_FILE'];
    }
  });
});

describe('A diff fails with a reason', () => {
  it('outside of a repository', async () => {
    await assert.rejects(
      changedFiles(await temporaryFolder(), 'main'),
      says(/is not in a git repository/),
    );
  });

  it('in the .git folder', async () => {
    const { root } = await commitContent(files);
    await assert.rejects(changedFiles(join(root, '.git'), 'main'), says(/not in the working tree/));
  });

  it('for a ref that names no commit', async () => {
    const { content } = await commitContent(files);
    for (const ref of ['no-such', '', '--all', 'main..HEAD', 'main:content', 'a\0b'])
      await assert.rejects(
        changedFiles(content.dir, ref),
        says(/has no commit named ".*"\. A branch that/),
      );
  });

  it('in a clone that is too shallow for the ref', async () => {
    const { root, commit } = await commitContent(files);
    await commit();
    const clone = await temporaryFolder();
    await git(clone, 'clone', '--quiet', '--depth=1', `file://${root}`, 'clone');
    const content = join(clone, 'clone/content');
    assert.deepEqual(await changedFiles(content, 'HEAD'), []);
    await assert.rejects(
      changedFiles(content, 'HEAD~1'),
      says(/It is a shallow clone: fetch the ref/),
    );
  });

  it('if a repository in the folder has changed, as a submodule or without one', async () => {
    const { root, content, commit } = await commitContent(files);
    const { root: other, commit: commitOther } = await commitContent(files);
    await git(root, 'submodule', '--quiet', 'add', other, 'content/gate');
    await commit();
    assert.deepEqual(await changedFiles(content.dir, 'HEAD'), []);
    await commitOther();
    await git(join(root, 'content/gate'), 'pull', '--quiet');
    const { content: without } = await commitContent(files);
    await git(without.dir, 'clone', '--quiet', other, 'gate');
    for (const { dir } of [content, without])
      await assert.rejects(
        changedFiles(dir, 'HEAD'),
        says(/^gate in the content folder is a repository of its own/),
      );
  });

  it('if git is not installed, fails or does not exit', async () => {
    const { content } = await commitContent(files);
    const bin = await temporaryFolder();
    const path = process.env['PATH'];
    const withGit = async (script: string | undefined, limit?: number) => {
      if (script === undefined) await rm(join(bin, 'git'), { force: true });
      else await writeFile(join(bin, 'git'), `#!/bin/sh\n${script}\n`);
      if (script !== undefined) await chmod(join(bin, 'git'), 0o755);
      process.env['PATH'] = script === undefined ? bin : `${bin}${delimiter}${path}`;
      return openRef(content.dir, 'main', limit).finally(() => {
        process.env['PATH'] = path;
      });
    };
    await assert.rejects(withGit(undefined), says(/git is not installed/));
    await assert.rejects(
      withGit('echo "fatal: dubious ownership" >&2; exit 128'),
      says(/^git rev-parse failed: dubious ownership$/),
    );
    await assert.rejects(withGit('exec sleep 600', 1), says(/^git rev-parse timed out/));
  });
});

const diagram = `${shiftPath}/diagrams/q1-fall.png`;
const drawn = question('q1', { diagrams: [{ file: 'q1-fall.png', alt: 'A stone' }] });
const [q2, q3] = [question('q2'), question('q3')];

const bank = {
  [examPath]: sampleExam,
  [physics]: { lastUpdated: oldMoment, questions: [drawn, q2] },
  [chemistry]: { lastUpdated: oldMoment, questions: [q3] },
  [diagram]: png(2, 2),
  [`${shiftPath}/.hidden.json`]: { lastUpdated: oldMoment, questions: [question('hidden')] },
} satisfies Files;

/** Commits the bank, changes it, and returns the diff. */
async function changes(
  change: (bank: BankFolder, content: GitContent) => Promise<unknown>,
): Promise<string[]> {
  const content = await commitContent(bank);
  await change(content.content, content);
  const { ref, commit, sections } = await contentChanges(content.content.dir, 'first');
  assert.deepEqual([ref, commit], ['first', await git(content.root, 'rev-parse', 'first')]);
  return linesOf(sections);
}

describe('The diff of a content folder since a git ref', () => {
  it('is empty if files were only formatted, or files were added or changed that are not published', async () => {
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
    assert.deepEqual(found, []);
  });

  it('has edits of files, committed or not', async () => {
    const found = await changes(async (folder, { commit }) => {
      await folder.set(physics, '/lastUpdated', newMoment);
      await folder.set(physics, '/questions/1/dropped', true);
      await folder.set(examPath, '/lang', 'en');
      await folder.write(`${shiftPath}/shift.json`, { edition: '2023' });
      await commit();
      await folder.set(chemistry, '/questions/0/topic', 'Other');
      const { id, options } = q3;
      await folder.write(`${shiftPath}/chemistry.hi.json`, {
        lastUpdated: newMoment,
        questions: [{ id, question: 'तीन', options }],
      });
      await folder.write(`${shiftPath}/biology.json`, {
        lastUpdated: newMoment,
        questions: [question('q4')],
      });
    });
    assert.deepEqual(found, [
      'Answers changed: physics q2 A (metre) -> A (metre), dropped',
      stale('chemistry'),
      'Papers added: biology',
      'Translations added: chemistry.hi',
      'Questions added: biology q4',
      'Questions edited: chemistry q3 (topic)',
      'Exam and shift files: shift (added)',
      `Exam and shift files: ${examPath} (changed)`,
    ]);
  });

  it('does not change the repository', async () => {
    const { root, content } = await commitContent(bank);
    await content.write(diagram, png(3, 3));
    await git(root, 'status');
    const index = () => readFile(join(root, '.git/index'));
    const before = await index();
    await contentChanges(content.dir, 'HEAD');
    assert.deepEqual(await index(), before);
  });
});
