import { execFile } from 'node:child_process';
import { UserError } from '../release/user-error.ts';
import { visible } from '../report/wording.ts';

/** Milliseconds. A git command that takes minutes is waiting for a file system or a password. */
const timeLimit = 300_000;

/** Overrides a user's configuration: no file system monitor, and no file reported as changed that was only touched. */
const configuration = ['-c', 'core.fsmonitor=false', '-c', 'diff.autoRefreshIndex=true'];

/** Objects that one call of `git cat-file` reads: what it prints is held in memory. */
const objectsAtOnce = 500;

/** Reports renames as removed and added files, whatever display options the user has configured. */
const rawDiff = [
  ...['--raw', '-z', '--no-abbrev', '--ignore-submodules=none', '--relative', '--no-renames'],
  ...['--no-ext-diff', '--no-textconv', '--no-color', '-O/dev/null'],
];

/** Removed from git's environment, which a hook sets: the content folder decides on the repository. */
const ownRepository = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_PREFIX',
  'GIT_COMMON_DIR',
];

/**
 * Lists the files of a content folder that differ between a git ref and the working tree, sorted by path: changed,
 * added and removed ones. Untracked and ignored files are included, because a build reads them too. A renamed file is
 * one removed and one added.
 *
 * @param ref anything that names a commit: a branch, a tag, `HEAD~2`, a hash
 * @returns paths inside the content folder, with `/` as separator; a byte that is not UTF-8 becomes U+FFFD
 * @throws UserError also for a changed repository in the folder, whose files git does not list
 */
export async function changedFiles(contentDir: string, ref: string): Promise<string[]> {
  return [...(await changesSince(await openRef(contentDir, ref))).keys()];
}

/**
 * Opens the content folder at a git ref.
 *
 * @param limit of each git command, in milliseconds
 * @throws UserError when git, the repository or the commit is missing
 */
export async function openRef(
  contentDir: string,
  ref: string,
  limit = timeLimit,
): Promise<ContentAtRef> {
  const git = gitIn(contentDir, limit);
  const state = await git(['rev-parse', '--is-inside-work-tree', '--is-shallow-repository']);
  if ('refusal' in state)
    throw new UserError(
      state.refusal.includes('not a git repository')
        ? `The content folder ${contentDir} is not in a git repository, so there is nothing to compare it with.`
        : failed('rev-parse', state.refusal),
    );
  const [isInside, isShallow] = String(state.output).split('\n');
  if (isInside !== 'true')
    throw new UserError(
      `The content folder ${contentDir} is not in the working tree of its git repository.`,
    );
  // What begins with a dash would be an option; with a caret, a commit to leave out.
  const named =
    /^[^-^]/.test(ref) && !ref.includes('\0')
      ? await git(['rev-parse', '--verify', '--end-of-options', `${ref}^{commit}`])
      : { refusal: '' };
  if ('refusal' in named)
    throw new UserError(
      `The repository of the content folder has no commit named ${JSON.stringify(visible(ref))}. ` +
        (isShallow === 'true'
          ? 'It is a shallow clone: fetch the ref with "git fetch origin <ref>" and compare with FETCH_HEAD, ' +
            'or clone with the whole history ("fetch-depth: 0" of actions/checkout).'
          : 'A branch that was never checked out has the name of its remote, such as origin/main.'),
    );
  return { contentDir, commit: String(named.output).trim(), git };
}

/** The content folder at a commit, which is in hex, and how to call git in it. */
interface ContentAtRef {
  readonly contentDir: string;
  readonly commit: string;
  readonly git: Git;
}

/**
 * Lists the changed files; see `changedFiles`.
 *
 * @returns for each path the object that was a regular file at the commit; undefined if there was none
 */
export async function changesSince({ commit, git }: ContentAtRef) {
  const objects = new Map<string, string | undefined>();
  const tracked = await lines(git, ['diff', ...rawDiff, commit, '--', '.']);
  // Each path follows a line like ":100644 120000 <object before> <object after> M".
  for (let index = 0; index < tracked.length; index += 2) {
    const [change = '', path = ''] = tracked.slice(index, index + 2);
    const [before = '', after, object] = change.slice(1).split(' ');
    if (before === submodule || after === submodule) throw repositoryInside(path);
    objects.set(path, before.startsWith('100') ? object : objects.get(path));
  }
  for (const path of await lines(git, ['ls-files', '--others', '-z', '--', '.']))
    if (path.endsWith('/')) throw repositoryInside(path.slice(0, -1));
    else objects.set(path, objects.get(path));
  return new Map([...objects].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The mode of a submodule in git's raw diff. */
const submodule = '160000';

function repositoryInside(path: string): UserError {
  return new UserError(
    `${visible(path)} in the content folder is a repository of its own, and git does not list its files. ` +
      'Set CONTENT_DIR to a folder inside it, and name one of its refs.',
  );
}

/** Yields the bytes of objects, in the order of the argument. @throws UserError when git does not have one */
export async function* bytesOf(
  { git }: ContentAtRef,
  objects: readonly string[],
): AsyncGenerator<Buffer> {
  for (let start = 0; start < objects.length; start += objectsAtOnce) {
    const batch = objects.slice(start, start + objectsAtOnce);
    const output = await outputOf(
      git,
      ['cat-file', '--batch'],
      batch.map((object) => `${object}\n`).join(''),
    );
    let at = 0;
    for (const object of batch) {
      // "<object> blob <size>", a line break, the bytes, a line break
      const header = output.indexOf('\n', at);
      const size = / (\d+)$/.exec(output.toString('latin1', at, header))?.[1];
      if (size === undefined)
        throw new UserError(failed('cat-file', `it does not have the object ${object}`));
      at = header + 1 + Number(size) + 1;
      yield output.subarray(header + 1, at - 1);
    }
  }
}

type Outcome = { readonly output: Buffer } | { readonly refusal: string };

/** @throws UserError when the command fails */
async function outputOf(git: Git, args: GitArguments, input?: string): Promise<Buffer> {
  const outcome = await git(args, input);
  if ('refusal' in outcome) throw new UserError(failed(args[0], outcome.refusal));
  return outcome.output;
}

/** Returns the lines that a command prints with `-z`. */
async function lines(git: Git, args: GitArguments): Promise<string[]> {
  return String(await outputOf(git, args))
    .split('\0')
    .slice(0, -1);
}

/** A command and its arguments. */
type GitArguments = readonly [string, ...string[]];

/** Runs a read-only git command. @throws UserError when git is missing or exceeds its time limit */
type Git = (args: GitArguments, input?: string) => Promise<Outcome>;

/** Returns a function that runs git in a folder, without a shell. @param limit milliseconds */
function gitIn(folder: string, limit: number): Git {
  const inherited = Object.entries(process.env).filter(([name]) => !ownRepository.includes(name));
  const settings = { LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0' };
  const env = { ...Object.fromEntries(inherited), ...settings };
  const limits = {
    timeout: limit,
    killSignal: 'SIGKILL',
    maxBuffer: Number.POSITIVE_INFINITY,
  } as const;
  const options = { ...limits, env, encoding: 'buffer', windowsHide: true } as const;
  return (args, input = '') =>
    new Promise((resolve, reject) => {
      const all = ['-C', folder, ...configuration, ...args];
      const child = execFile('git', all, options, (error, output, complaint) => {
        if (!error) resolve({ output });
        else if (error.code === 'ENOENT')
          reject(
            new UserError(
              'git is not installed, or not on the PATH. It is required to compare with a git ref.',
            ),
          );
        else if (error.killed)
          reject(
            new UserError(
              `git ${args[0]} timed out. Check that its disk is reachable and that it does not ask for a password.`,
            ),
          );
        else resolve({ refusal: String(complaint) });
      });
      // A git that ends early is reported by its exit status.
      child.stdin?.on('error', () => {});
      child.stdin?.end(input);
    });
}

function failed(command: string, complaint: string): string {
  const words = complaint
    .replace(/^(fatal|error): /, '')
    .replace(/\s+/g, ' ')
    .trim();
  return `git ${command} failed: ${visible(words) || 'no details'}`;
}
