import { execFileSync } from 'node:child_process';

/** Runs a command in a name space of mounts: what is mounted there goes with the last process that sees it. */
export const ownMounts = ['unshare', '--map-root-user', '--mount'];

/** Why tests that mount file systems are skipped. */
export const noMounts: string | false = !mayMount() && 'this user may not mount a file system';

function mayMount(): boolean {
  try {
    const [command = '', ...args] = [...ownMounts, 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'];
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
