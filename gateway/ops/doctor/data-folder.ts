import { mkdtemp, rmdir, stat, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type Check, type Finding, ok, problem, warning } from './check.ts';

const mebibyte = 1024 * 1024;

/** Bytes below which counts of usage may soon find no place, and below which it is time to look. */
const tooFew = 32 * mebibyte;
const few = 512 * mebibyte;

/** Rights of those who do not own a file. */
const others = 0o077;

export const dataFolder: Check = {
  name: 'data folder',
  async look({ dataDir }) {
    const folder = await nearestFolder(resolve(dataDir));
    const findings = await judgeRights(dataDir, folder);
    const { bavail, bsize } = await statfs(folder);
    return [...findings, judgeSpace(bavail * bsize)];
  },
};

/** The folder, or the one in which it would be made. */
async function nearestFolder(path: string): Promise<string> {
  const entry = await stat(path).catch(() => undefined);
  return entry === undefined && dirname(path) !== path ? nearestFolder(dirname(path)) : path;
}

async function judgeRights(dataDir: string, folder: string): Promise<Finding[]> {
  const entry = await stat(folder);
  const { uid, mode } = entry;
  if (!entry.isDirectory()) {
    return [problem(`${folder} is no folder.`, 'Remove it, or set DATA_DIR to another place.')];
  }
  const refusal = await refusalOf(folder);
  if (refusal !== undefined) {
    return [
      problem(
        `${folder}, which belongs to user ${uid}, cannot be written by user ${process.geteuid?.()}: ${refusal}.`,
        'Give it to the user that runs the gateway, or set DATA_DIR to another place.',
      ),
    ];
  }
  if (folder !== resolve(dataDir)) return [ok(`${dataDir} is not there yet, and can be made.`)];
  if ((mode & others) === 0) return [ok(`${dataDir} can be written, and no one else reads it.`)];
  return [
    warning(
      `${dataDir} is open to other users (mode ${(mode & 0o777).toString(8)}): it holds what signs sessions.`,
      `Run chmod 700 ${dataDir}.`,
    ),
  ];
}

/** Why nothing can be made in a folder; undefined where something can. What was made for that is removed. */
async function refusalOf(folder: string): Promise<string | undefined> {
  try {
    await rmdir(await mkdtemp(join(folder, '.doctor-')));
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}

/** @param free bytes */
export function judgeSpace(free: number): Finding {
  const left = `${Math.floor(free / mebibyte).toLocaleString('en-GB')} MiB are free there.`;
  if (free >= few) return ok(left);
  const advice = 'Make room on that disk: without it usage is not counted and keys are not made.';
  return free >= tooFew ? warning(left, advice) : problem(left, advice);
}
