import { listReleases, prune, ReleaseError, type ReleaseListing, rollBack } from '../release/releases.ts';
import { count, formatBytes, formatTime } from '../report/wording.ts';
import { type Command, readArguments, UsageError } from './command.ts';

const options = { json: { type: 'boolean', default: false }, keep: { type: 'string' } } as const;

/** The current release, and some to roll back to. */
const defaultKeep = '5';

/** Returns its result, for `--json` and as text. */
type Action = (
  distDir: string,
  id: string | undefined,
  keep: number,
) => Promise<readonly [value: unknown, text: string]>;

const actions: Readonly<Record<string, Action>> = {
  async list(distDir) {
    const releases = await listReleases(distDir);
    return [releases, releases.map(lineOf).join('') || 'There are no releases.\n'];
  },
  async rollback(distDir, id) {
    const { from, to } = await rollBack(distDir, id, new Date());
    const before = from === undefined ? 'Nothing was current before.' : `Before it was ${from}.`;
    const text = from === to ? `Release ${to} is current already.` : `Release ${to} is current. ${before}`;
    return [{ from: from ?? null, to }, `${text}\n`];
  },
  async prune(distDir, _id, keep) {
    const removed = await prune(distDir, keep, new Date());
    const text = removed.map((name) => `Removed release ${name}.\n`).join('');
    return [{ removed }, text || 'There was nothing to remove.\n'];
  },
};

/** `npm run releases -- list|rollback|prune`: manages the releases in the dist folder. */
export const releasesCommand: Command = async (args, { distDir }, io) => {
  const { values, positionals } = readArguments(args, { options, allowPositionals: true });
  const [name = '', id, ...more] = positionals;
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!action) throw new UsageError(`releases does list, rollback or prune, not "${name}".`);
  if (more.length > 0 || (id !== undefined && name !== 'rollback'))
    throw new UsageError(`releases ${name} does not take "${more[0] ?? id}".`);
  if (values.keep !== undefined && name !== 'prune') throw new UsageError('--keep is for prune.');
  const { keep = defaultKeep } = values;
  if (!/^0*[1-9]\d{0,5}$/.test(keep))
    throw new UsageError(`--keep is a whole number from 1 up, not "${keep}".`);
  try {
    const [value, text] = await action(distDir, id, Number(keep));
    io.stdout.write(values.json ? `${JSON.stringify(value)}\n` : text);
    return 0;
  } catch (error) {
    if (!(error instanceof ReleaseError)) throw error;
    io.stderr.write(`${error.message}\n`);
    return 1;
  }
};

function lineOf({ name, current, publishedAt, damage, figures }: ReleaseListing): string {
  const mark = current ? '* current' : '         ';
  const state = figures
    ? [
        count(figures.papers, 'paper'),
        count(figures.diagrams, 'diagram'),
        count(figures.public, 'public response'),
        formatBytes(figures.bytes),
      ].join(', ')
    : `damaged: ${damage}`;
  return `${mark}  ${name}  published ${formatTime(Date.parse(publishedAt))}  ${state}\n`;
}
