/** Three gateways on machines of their own: a network namespace for each, which ends with the test. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startCommand } from '../../gateway/started-process.ts';

const inNamespaces = ['--map-root-user', '--net', '--mount'];

/** Why the test is skipped, if it is. In CI, this is an error. */
const skip = !mayCreate() && 'this user may not create network namespaces with unshare and ip';

function mayCreate(): boolean {
  try {
    const create =
      'ip link add one type veth peer name two && mount -t tmpfs tmpfs /run && ip netns add own';
    execFileSync('unshare', [...inNamespaces, 'sh', '-c', create], { stdio: 'ignore' });
    return true;
  } catch (error) {
    if (process.env['CI']) throw error;
    return false;
  }
}

it('Three gateways fail no request and mix no releases, while one is cut off and a Redis primary is killed', {
  skip,
}, async (t) => {
  const program = fileURLToPath(new URL('./three-machines.ts', import.meta.url));
  const args = [...inNamespaces, process.execPath, '--import', 'tsx', program];
  const { RELEASES = '8' } = process.env;
  const { status, stdout, stderr } = await startCommand('unshare', args, { RELEASES }).ended;
  assert.equal(status, 0, stdout + stderr);
  for (const line of stdout.trimEnd().split('\n')) t.diagnostic(line);
});
