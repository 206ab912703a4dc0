/**
 * Changes single lines of a room's code, one at a time, and counts how many of these mutants the tests notice: those of
 * the room, then all of the fast suite, then the long suites that are about the room.
 * `npm run test:long -- mutants build/rules 30`. The same lines are drawn from the same code.
 */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { repository } from '../gateway/started-process.ts';

interface Mutant {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  readonly mutated: string;
}

/** What is replaced where it is first found in a line, and by what. */
const replacements: readonly (readonly [RegExp, string])[] = [
  [/ === /, ' !== '],
  [/ !== /, ' === '],
  [/ && /, ' || '],
  [/ \|\| /, ' && '],
  [/ \?\? (?!\{|\[)/, ' && '],
  [/ <= /, ' < '],
  [/ >= /, ' > '],
  [/ < /, ' <= '],
  [/ > (?!=)/, ' >= '],
  [/ \+ 1\b/, ' + 2'],
  [/ - 1\b/, ' - 2'],
  [/\btrue\b(?!;? *\})/, 'false'],
  [/\bfalse\b/, 'true'],
  [/\bif \(/, 'if (!'],
  [/\.some\(/, '.every('],
  [/\.every\(/, '.some('],
  [/\bMath\.max\(/, 'Math.min('],
  [/\bMath\.min\(/, 'Math.max('],
  [/^( +)(?:await )?[\w.#]+\([^()]*\);$/, '$1;'],
];

/** Long suites, and the rooms whose promises they prove. */
const longSuites: readonly (readonly [string, RegExp])[] = [
  ['browser', /^build\/(?:site|preview)$/],
  ['engine', /^build(?:\/(?:commands|publish|release|report))?$/],
  ['pull', /^build\/pull$/],
  ['processes', /^gateway/],
  ['redis', /^gateway\/(?:limits|ops)$/],
];

const [room = '', most = '30'] = process.argv.slice(2);
const mutants = mutantsOf(room).slice(0, Number(most));
const results: { readonly mutant: Mutant; readonly isCaught: boolean }[] = [];
const queue = [...mutants];
await Promise.all(Array.from({ length: availableParallelism() }, () => work()));
for (const { mutant, isCaught } of results) {
  if (!isCaught)
    console.log(`missed: ${mutant.file}:${mutant.line}\n-${mutant.text}\n+${mutant.mutated}`);
}
console.log(
  `${room}: ${results.filter(({ isCaught }) => isCaught).length} of ${results.length} mutants caught`,
);

/** All mutants of a room, in an order that depends on their text alone. */
function mutantsOf(folder: string): Mutant[] {
  const listed = execFileSync('git', ['ls-files', folder], {
    cwd: repository,
    encoding: 'utf8',
  }).split('\n');
  const isDirectly = (file: string) => folder.includes('/') || file.split('/').length === 2;
  const found = listed
    .filter((file) => /\.[jt]s$/.test(file) && isDirectly(file))
    .flatMap((file) =>
      readFileSync(join(repository, file), 'utf8')
        .split('\n')
        .flatMap((text, index) => {
          if (/^\s*(?:\*|\/[/*]|import |export \* )|: (?:true|false)[;,]? *$/.test(text)) return [];
          return replacements
            .filter(([pattern]) => pattern.test(text))
            .map(([pattern, by]) => ({
              file,
              line: index + 1,
              text,
              mutated: text.replace(pattern, by),
            }));
        }),
    );
  const orderOf = ({ file, text, mutated }: Mutant) =>
    createHash('sha256').update([file, text, mutated].join('\n')).digest('hex');
  return found.sort((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1));
}

/** Tests mutants in a work tree of its own. */
async function work(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'pastpaper-mutants-'));
  const git = (...words: string[]) =>
    execFileSync('git', words, { cwd: repository, stdio: 'pipe' });
  git('worktree', 'add', '--detach', folder);
  try {
    execFileSync('cp', ['-a', join(repository, 'node_modules'), folder]);
    if (!(await passes(folder))) throw new Error(`The tests of ${room} fail without a mutant.`);
    for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
      const file = join(folder, mutant.file);
      const whole = readFileSync(file, 'utf8');
      const lines = whole.split('\n');
      lines[mutant.line - 1] = mutant.mutated;
      writeFileSync(file, lines.join('\n'));
      results.push({ mutant, isCaught: !(await passes(folder)) });
      writeFileSync(file, whole);
    }
  } finally {
    git('worktree', 'remove', '--force', folder);
    await rm(folder, { recursive: true, force: true });
  }
}

/** Whether the tests of the room pass, then all of the fast suite, then the long suites of the room. */
async function passes(folder: string): Promise<boolean> {
  const long = longSuites.filter(([, rooms]) => rooms.test(room)).map(([suite]) => suite);
  return (
    (await ends(folder, 'fast', room.includes('/') ? room : `test/${room}`)) &&
    (await ends(folder, 'fast')) &&
    (long.length === 0 || (await ends(folder, 'long', '--short', ...long)))
  );
}

/** Whether a run of tests ends without a failure. */
async function ends(folder: string, ...words: readonly string[]): Promise<boolean> {
  const child = spawn(process.execPath, ['test/run.js', ...words], {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  // With all processes that it has started.
  const end = () => {
    if (child.exitCode === null && child.signalCode === null)
      process.kill(-(child.pid ?? 0), 'SIGKILL');
  };
  const timer = setTimeout(end, 900_000);
  // The first failure is enough.
  child.stdout.on('data', (output) => {
    if (String(output).includes('✖')) end();
  });
  const [status] = await once(child, 'close');
  clearTimeout(timer);
  return status === 0;
}
