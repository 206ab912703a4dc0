import { existsSync, realpathSync } from 'node:fs';
import { relative } from 'node:path';
import { watch as watchFiles } from 'chokidar';

/** Milliseconds from the first sign of a save until it is looked at: some editors write in several steps. */
const settleTime = 50;

/** Milliseconds from one look for the folder itself to the next: it may be moved away, and come back as another one. */
const lookInterval = 500;

export interface Watcher {
  close(): Promise<void>;
}

/**
 * Watches a folder for anything that is written, replaced, added or removed in it; hidden files are passed
 * over, as the build passes over them. Many changes at once are told as one.
 *
 * @param onChange is called soon after a change, and once when the watching begins
 * @param onFailure is handed a sentence on why changes are not seen
 */
export function watch(folder: string, onChange: () => void, onFailure: (why: string) => void): Watcher {
  let settling: NodeJS.Timeout | undefined;
  const settle = () => {
    settling ??= setTimeout(() => {
      settling = undefined;
      onChange();
    }, settleTime);
  };
  // The folder itself may be a link; those inside it are not followed.
  const root = realpathSync(folder);
  const watcher = watchFiles(root, {
    ignored: (path) => /(^|[/\\])\.[^./\\]/.test(relative(root, path)),
    ignoreInitial: true,
    followSymlinks: false,
  });
  watcher.on('all', settle).on('ready', settle);
  let isThere = true;
  const looking = setInterval(() => {
    if (existsSync(root) === isThere) return;
    isThere = !isThere;
    if (isThere) {
      watcher.unwatch(root);
      watcher.add(root);
    }
    settle();
  }, lookInterval);
  watcher.on('error', (error) => onFailure(explain(error as NodeJS.ErrnoException)));
  return {
    async close() {
      clearTimeout(settling);
      clearInterval(looking);
      await watcher.close();
    },
  };
}

function explain({ code, message }: NodeJS.ErrnoException): string {
  const reason =
    code === 'ENOSPC' || code === 'EMFILE'
      ? 'The system watches too many files already (on Linux, raise fs.inotify.max_user_watches).'
      : message;
  return `What is saved is not seen any more: start again. ${reason}`;
}
