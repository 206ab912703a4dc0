import { execFile, spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { visible } from '../report/wording.ts';
import { BatchOutput } from './batch-output.ts';

/** The content cannot be compared with a git ref. The message is a sentence on why, and what to do. */
export class NoComparison extends Error {
  override readonly name = 'NoComparison';
}

/** Milliseconds. No command here works for minutes: one that does waits for a file system or a password. */
const patience = 300_000;

/**
 * Against what a person's configuration could put in the way: a monitor that goes on after the command, and
 * files told as changed that were touched and no more.
 */
const configuration = ['-c', 'core.fsmonitor=false', '-c', 'diff.autoRefreshIndex=true'];

/** Renames as removed and added; nothing of how a person likes to see a difference, an order of files included. */
const plainDiff = [
  '--relative',
  '--no-renames',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '-O/dev/null',
];

/** Where git looks is decided by the content folder, also in a hook, which is told of a repository. */
const ownRepository = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_PREFIX', 'GIT_COMMON_DIR'];

/**
 * The files of a content folder that differ between a git ref and the working tree, in the order of their
 * paths: changed, added, removed; also those that git does not track or ignores, which a build reads too. A
 * file that was renamed is one removed and one added.
 *
 * @param ref anything that names a commit: a branch, a tag, `HEAD~2`, a hash
 * @returns paths inside the content folder, with `/` between their parts; a byte that is no UTF-8 comes as U+FFFD
 * @throws NoComparison
 */
export async function changedFiles(contentDir: string, ref: string): Promise<string[]> {
  return (await openPast(contentDir, ref)).changedFiles();
}

/**
 * Finds a content folder's past at a git ref.
 *
 * @param limit on each command of git, in milliseconds
 * @throws NoComparison when there is no git, no repository or no such commit
 */
export async function openPast(contentDir: string, ref: string, limit = patience): Promise<ContentPast> {
  const git = new Git(contentDir, limit);
  const state = await git.run('rev-parse', '--is-inside-work-tree', '--is-shallow-repository');
  if ('refusal' in state) throw new NoComparison(noRepository(contentDir, state.refusal));
  const [isInside, isShallow] = String(state.output).split('\n');
  if (isInside !== 'true')
    throw new NoComparison(`The content folder ${contentDir} is in no working tree of its git repository.`);
  // What begins with a dash would be an option; with a caret, a commit to leave out.
  const named =
    /^[^-^]/.test(ref) && !ref.includes('\0')
      ? await git.run('rev-parse', '--verify', '--end-of-options', `${ref}^{commit}`)
      : { refusal: '' };
  if ('refusal' in named) throw new NoComparison(noCommit(ref, isShallow === 'true'));
  return new ContentPast(contentDir, git, String(named.output).trim());
}

/** A content folder as it was at a commit, beside the working tree. */
export class ContentPast {
  /** In hex. */
  readonly commit: string;
  readonly #contentDir: string;
  readonly #git: Git;

  constructor(contentDir: string, git: Git, commit: string) {
    this.#contentDir = contentDir;
    this.#git = git;
    this.commit = commit;
  }

  /** As the function of this name. */
  async changedFiles(): Promise<string[]> {
    const options = ['--raw', '-z', '--ignore-submodules=none', ...plainDiff];
    const tracked = await this.#git.lines('diff', ...options, this.commit, '--', '.');
    // In this output a line that tells what changed comes before each path.
    const paths = tracked.filter((_, index) => index % 2 === 1);
    const submodule = paths.find((_, index) => isSubmodule(tracked[2 * index] ?? ''));
    if (submodule !== undefined) throw new NoComparison(changedSubmodule(submodule));
    const untracked = await this.#git.lines('ls-files', '--others', '-z', '--', '.');
    // Of a repository in a folder, git tells the folder alone.
    const others = untracked.map((path) => (path.endsWith('/') ? this.#filesIn(path) : [path]));
    return [...new Set([...paths, ...(await Promise.all(others)).flat()])].sort();
  }

  /** The objects of the plain files at the commit, by path; neither links nor submodules. */
  async objects(): Promise<ReadonlyMap<string, string>> {
    const objects = new Map<string, string>();
    for (const line of await this.#git.lines('ls-tree', '-r', '-z', this.commit, '--', '.')) {
      const [, object, path] = /^100\d+ blob ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
      if (object !== undefined && path !== undefined) objects.set(path, object);
    }
    return objects;
  }

  /**
   * The bytes of objects, one after the other in the order asked for.
   *
   * @throws NoComparison when git does not have one, or ends
   */
  bytes(objects: readonly string[]): AsyncGenerator<Buffer> {
    return this.#git.objects(objects);
  }

  async #filesIn(path: string): Promise<string[]> {
    const folder = join(this.#contentDir, path);
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => !entry.isDirectory())
      .map(({ parentPath, name }) => relative(this.#contentDir, join(parentPath, name)).replaceAll(sep, '/'))
      .filter((file) => !file.startsWith(`${path}.git/`));
  }
}

/** Whether a line of git's raw diff is about a submodule, before or after the change. */
function isSubmodule(change: string): boolean {
  return /^:(160000 |\d+ 160000 )/.test(change);
}

type Outcome = { readonly output: Buffer } | { readonly refusal: string };

/** Runs git in a folder, without a shell, and changes nothing there. */
class Git {
  readonly #options: readonly string[];
  readonly #limit: number;

  constructor(folder: string, limit: number) {
    this.#options = ['-C', folder, ...configuration];
    this.#limit = limit;
  }

  /** @throws NoComparison when git is not there or does not end */
  run(...args: readonly string[]): Promise<Outcome> {
    const options = { ...this.#process(), encoding: 'buffer', maxBuffer: Number.POSITIVE_INFINITY } as const;
    return new Promise((resolve, reject) => {
      execFile('git', [...this.#options, ...args], options, (error, output, complaint) => {
        if (!error) resolve({ output });
        else if (error.code === 'ENOENT') reject(new NoComparison(noGit));
        else if (error.killed) reject(new NoComparison(hangs(args[0])));
        else resolve({ refusal: String(complaint) });
      });
    });
  }

  /** What a command prints with `-z`. */
  async lines(...args: readonly string[]): Promise<string[]> {
    const outcome = await this.run(...args);
    if ('refusal' in outcome) throw new NoComparison(failed(args[0], outcome.refusal));
    return String(outcome.output).split('\0').slice(0, -1);
  }

  async *objects(objects: readonly string[]): AsyncGenerator<Buffer> {
    if (objects.length === 0) return;
    const child = spawn('git', [...this.#options, 'cat-file', '--batch'], {
      ...this.#process(),
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    // Either shows in the output, which then ends early.
    child.on('error', () => {});
    child.stdin.on('error', () => {});
    child.stdin.end(objects.map((object) => `${object}\n`).join(''));
    try {
      const output = new BatchOutput(child.stdout);
      for (const object of objects) {
        const bytes = await output.next();
        if (!bytes) throw new NoComparison(failed('cat-file', `it did not tell what ${object} holds`));
        yield bytes;
      }
    } finally {
      child.kill('SIGKILL');
    }
  }

  #process() {
    const inherited = Object.entries(process.env).filter(([name]) => !ownRepository.includes(name));
    const env = {
      ...Object.fromEntries(inherited),
      LC_ALL: 'C',
      GIT_OPTIONAL_LOCKS: '0',
      GIT_TERMINAL_PROMPT: '0',
    };
    return { env, timeout: this.#limit, killSignal: 'SIGKILL', windowsHide: true } as const;
  }
}

const noGit = 'Comparing with a git ref needs git, which is not installed or not on the PATH.';

function noRepository(contentDir: string, refusal: string): string {
  return refusal.includes('not a git repository')
    ? `The content folder ${contentDir} is in no git repository, so there is nothing to compare it with.`
    : failed('rev-parse', refusal);
}

function noCommit(ref: string, isShallow: boolean): string {
  const sentence = `The repository of the content folder has no commit named ${JSON.stringify(visible(ref))}.`;
  return isShallow
    ? `${sentence} It is a shallow clone: fetch the ref with "git fetch origin <ref>" and compare with FETCH_HEAD, or clone with the whole history ("fetch-depth: 0" of actions/checkout).`
    : `${sentence} A branch that was never checked out here is named with its remote, like origin/main.`;
}

function changedSubmodule(path: string): string {
  return `${visible(path)} in the content folder is a submodule, and differs: git does not tell in which files. Set CONTENT_DIR to a folder inside it, and name a ref of its own.`;
}

function hangs(command = ''): string {
  return `git ${command} did not end in time, and was ended. Is its disk reachable, does it wait for a password?`;
}

function failed(command = '', complaint: string): string {
  const words = complaint
    .replace(/^(fatal|error): /, '')
    .replace(/\s+/g, ' ')
    .trim();
  return `git ${command} failed: ${visible(words) || 'it said no more'}`;
}
