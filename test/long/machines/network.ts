/** Machines for programs in a network and mount namespace of their own: each has another network namespace, behind a bridge. */
import { execFileSync } from 'node:child_process';

export function ip(...args: readonly string[]): void {
  execFileSync('ip', args);
}

/** Creates the bridge, with addresses of this namespace. */
export function createBridge(...addresses: readonly string[]): void {
  execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', '/run']);
  ip('link', 'set', 'lo', 'up');
  ip('link', 'add', 'hub', 'type', 'bridge');
  for (const address of addresses) ip('addr', 'add', `${address}/24`, 'dev', 'hub');
  ip('link', 'set', 'hub', 'up');
}

/** Connects a machine to the bridge. @returns the command, and its arguments, that runs another command there */
export function addMachine(name: string, address: string): readonly string[] {
  ip('netns', 'add', name);
  ip('link', 'add', `to-${name}`, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
  ip('link', 'set', `to-${name}`, 'master', 'hub', 'up');
  ip('-n', name, 'addr', 'add', `${address}/24`, 'dev', 'eth0');
  for (const device of ['eth0', 'lo']) ip('-n', name, 'link', 'set', device, 'up');
  return ['nsenter', `--net=/run/netns/${name}`];
}
