import { execFileSync } from 'node:child_process';

/** Runs a command in its own mount namespace: its mounts end with its last process. */
export const inMountNamespace = ['unshare', '--map-root-user', '--mount'];

/** Why tests that mount file systems are skipped, if they are. */
export const noMounts: string | false = !mayMount() && 'this user may not mount a file system';

function mayMount(): boolean {
  try {
    const [command = '', ...args] = [...inMountNamespace, 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'];
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
