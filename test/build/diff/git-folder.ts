import { execFile } from 'node:child_process';
import { cp, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BankFolder, type Files, temporaryFolder } from '../bank-folder.ts';

// Ignores the machine's configuration of git, and any repository above the folders of the tests.
Object.assign(process.env, {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CEILING_DIRECTORIES: tmpdir(),
});

const identity = [
  '-c',
  'user.name=Writer',
  '-c',
  'user.email=writer@example.org',
  '-c',
  'commit.gpgSign=false',
];

/** Runs git in a folder. Rejects if git fails. */
export async function git(folder: string, ...args: readonly string[]): Promise<string> {
  const allowed = ['-c', 'protocol.file.allow=always'];
  const { stdout } = await promisify(execFile)('git', [
    '-C',
    folder,
    ...identity,
    ...allowed,
    ...args,
  ]);
  return stdout.trim();
}

/** A content folder in a git repository. */
export interface GitContent {
  /** The repository's root. */
  readonly root: string;
  readonly content: BankFolder;
  /** Commits everything except ignored files. */
  commit(): Promise<void>;
}

/** Repositories, by the files of their first commit and the folder of the content: copying one starts no process. */
const repositories = new Map<string, Promise<string>>();

/**
 * A new repository with these files of content as its first commit, on the branch `main`, tagged `first`.
 *
 * @param folder of the content inside the repository; `''` is its root
 */
export async function commitContent(files: Files, folder = 'content'): Promise<GitContent> {
  const name = JSON.stringify([folder, files]);
  const made = repositories.get(name) ?? makeRepository(files, folder);
  repositories.set(name, made);
  const root = await temporaryFolder();
  // With the times that the index has, or git would read every file again.
  await cp(await made, root, { recursive: true, preserveTimestamps: true });
  return {
    root,
    content: new BankFolder(join(root, folder)),
    commit: () => commitAll(root),
  };
}

async function makeRepository(files: Files, folder: string): Promise<string> {
  const root = await temporaryFolder();
  await git(root, 'init', '--quiet', '--initial-branch=main', '--template=');
  await mkdir(join(root, folder), { recursive: true });
  const content = new BankFolder(join(root, folder));
  for (const [path, file] of Object.entries(files)) await content.write(path, file);
  await commitAll(root);
  await git(root, 'tag', 'first');
  return root;
}

async function commitAll(root: string): Promise<void> {
  await git(root, 'add', '--all');
  await git(root, 'commit', '--quiet', '--allow-empty', '--message', 'Content');
}
