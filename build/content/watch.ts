/** Watches the content folder for changes. */
import { realpathSync, statSync } from 'node:fs';
import { relative } from 'node:path';
import { watch as watchFiles } from 'chokidar';

/** Milliseconds from the first event of a save to the call: some editors write in several steps. */
const saveTime = 50;

/** Milliseconds between checks of the folder itself, which may be removed and created again. */
const checkInterval = 500;

interface Watcher {
  close(): Promise<void>;
}

/**
 * Watches a folder for written, replaced, added and removed files; hidden files are ignored, as in a build. Many changes at
 * once cause one call.
 *
 * @param files other files to watch, which need not exist
 * @param onChange called soon after a change, and once when watching begins
 * @param onFailure called with a sentence when changes can no longer be seen
 */
export function watch(
  folder: string,
  onChange: () => void,
  onFailure: (why: string) => void,
  ...files: readonly string[]
): Watcher {
  let pending: NodeJS.Timeout | undefined;
  const notify = () => {
    pending ??= setTimeout(() => {
      pending = undefined;
      onChange();
    }, saveTime);
  };
  // The folder itself may be a link; those inside it are not followed.
  const root = realpathSync(folder);
  const open = () =>
    watchFiles([root, ...files], {
      ignored: (path) => !files.includes(path) && /(^|[/\\])\.[^./\\]/.test(relative(root, path)),
      ignoreInitial: true,
      followSymlinks: false,
    })
      .on('all', notify)
      .on('ready', notify)
      .on('error', (error) => onFailure(explain(error as NodeJS.ErrnoException)));
  let watcher = open();
  let identity = identityOf(root);
  const checking = setInterval(() => {
    const found = identityOf(root);
    if (found === identity) return;
    identity = found;
    // Its watches are on the folder that is gone.
    void watcher.close();
    watcher = open();
  }, checkInterval);
  return {
    async close() {
      clearTimeout(pending);
      clearInterval(checking);
      await watcher.close();
    },
  };
}

/** Differs when a folder is removed and created again; inode numbers alone are reused. */
function identityOf(folder: string): string | undefined {
  const stat = statSync(folder, { throwIfNoEntry: false });
  return stat && `${stat.dev}:${stat.ino}:${stat.birthtimeMs}`;
}

function explain({ code, message }: NodeJS.ErrnoException): string {
  const reason =
    code === 'ENOSPC' || code === 'EMFILE'
      ? 'The system cannot watch more files. On Linux, raise fs.inotify.max_user_watches.'
      : message;
  return `Changes are no longer watched. Restart the command. ${reason}`;
}
