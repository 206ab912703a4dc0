import { listReleases, prune, ReleaseError, type ReleaseListing, rollBack } from '../release/releases.ts';
import { count, formatBytes, formatTime } from '../report/wording.ts';
import { type Command, type CommandIO, type ExitStatus, readArguments, UsageError } from './command.ts';

const options = { json: { type: 'boolean', default: false }, keep: { type: 'string' } } as const;

/** The current release, and some to roll back to. */
const defaultKeep = 5;

/** A result, for `--json` and as text. */
type Result = readonly [value: unknown, text: string];

/** `npm run releases -- list|rollback|prune`: manages the releases in the dist folder. */
export const releasesCommand: Command = async (args, { distDir }, io) => {
  const { values, positionals } = readArguments(args, { options, allowPositionals: true });
  const [action, id, ...more] = positionals;
  if (action === undefined || !/^(list|rollback|prune)$/.test(action))
    throw new UsageError(`releases does list, rollback or prune, not "${action ?? ''}".`);
  if (more.length > 0 || (id !== undefined && action !== 'rollback'))
    throw new UsageError(`releases ${action} does not take "${more[0] ?? id}".`);
  if (values.keep !== undefined && action !== 'prune') throw new UsageError('--keep is for prune.');
  const keep = parseKeep(values.keep);
  return print(values.json, io, () => {
    if (action === 'list') return list(distDir);
    return action === 'rollback' ? rollback(distDir, id) : removeOld(distDir, keep);
  });
};

/** Prints the result of an action, or why it was rejected. */
async function print(json: boolean, io: CommandIO, act: () => Promise<Result>): Promise<ExitStatus> {
  try {
    const [value, text] = await act();
    io.stdout.write(json ? `${JSON.stringify(value)}\n` : text);
    return 0;
  } catch (error) {
    if (!(error instanceof ReleaseError)) throw error;
    io.stderr.write(`${error.message}\n`);
    return 1;
  }
}

async function list(distDir: string): Promise<Result> {
  const releases = await listReleases(distDir);
  return [releases, releases.length === 0 ? 'There are no releases.\n' : releases.map(lineOf).join('')];
}

function lineOf({ name, current, publishedAt, damage, figures }: ReleaseListing): string {
  const mark = current ? '* current' : '         ';
  const state = figures
    ? [
        count(figures.papers, 'paper'),
        count(figures.diagrams, 'diagram'),
        `${figures.public} public answers`,
        formatBytes(figures.bytes),
      ].join(', ')
    : `damaged: ${damage}`;
  return `${mark}  ${name}  published ${formatTime(Date.parse(publishedAt))}  ${state}\n`;
}

async function rollback(distDir: string, id: string | undefined): Promise<Result> {
  const { from, to } = await rollBack(distDir, id, new Date());
  const before = from === undefined ? 'Nothing was current before.' : `Before it was ${from}.`;
  const text = from === to ? `Release ${to} is current already.\n` : `Release ${to} is current. ${before}\n`;
  return [{ from: from ?? null, to }, text];
}

async function removeOld(distDir: string, keep: number): Promise<Result> {
  const removed = await prune(distDir, keep, new Date());
  const text =
    removed.map((name) => `Removed release ${name}.\n`).join('') || 'There was nothing to remove.\n';
  return [{ removed }, text];
}

function parseKeep(text: string | undefined): number {
  if (text === undefined) return defaultKeep;
  const keep = Number(text);
  if (/^\d{1,6}$/.test(text) && keep >= 1) return keep;
  throw new UsageError(`--keep is a whole number from 1 up, not "${text}".`);
}
