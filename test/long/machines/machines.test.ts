/** Programs on machines of their own: a network namespace for each, which ends with the test. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { temporaryFolder } from '../../build/bank-folder.ts';
import { startCommand } from '../../gateway/started-process.ts';

const isRoot = process.getuid?.() === 0;
const inNamespaces = [
  ...(isRoot ? [] : ['--map-root-user']),
  ...'--net --mount --pid --fork --kill-child --mount-proc'.split(' '),
];

/** Why the tests are skipped, if they are. In CI, this is an error. */
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

/** Runs a program beside this file in namespaces, where a shell waits for all processes that have lost their parent. */
async function run(
  t: TestContext,
  program: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<void> {
  const file = join(import.meta.dirname, program);
  const words = [process.execPath, '--import', 'tsx', file, ...args];
  const shell = ['sh', '-c', '"$@"; exit $?', 'sh', ...words];
  const { status, stdout, stderr } = await startCommand(
    'unshare',
    [...inNamespaces, ...shell],
    settings,
  ).ended;
  assert.equal(status, 0, stdout + stderr);
  for (const line of stdout.trimEnd().split('\n')) t.diagnostic(line);
}

it('Three gateways fail no request and mix no releases, while one is cut off and a Redis primary is killed', {
  skip,
}, async (t) => {
  const { RELEASES = '8' } = process.env;
  await run(t, 'three-machines.ts', [], { RELEASES });
});

/** Creates a bank in Git. A build for production rejects texts that nobody has edited. */
const createBank = `
  node build/pastpaper.js init "$0"
  cd "$0"
  sed -i 's/My question bank/School papers/; s/over a read-only HTTP API/of our school/' pastpaper.config.json
  sed -i 's/Sample Exam/School Exam/' content/sample/exam.json
  sed -i 's/"question": "/&Think first. /' content/sample/2025/*/*.json
  npm install --prefer-offline --ignore-scripts --no-audit --no-fund
  git init --quiet
  git add .
  git -c user.name=Ada -c user.email=ada@example.org commit --quiet --message Bank`;

it('The printed commands lead from an empty machine to two, with nginx, PostgreSQL, Redis and gateways that limit together', {
  skip: skip || (!isRoot && 'only root may create users'),
}, async (t) => {
  const bank = join(await temporaryFolder(), 'bank');
  const created = await startCommand('sh', ['-ec', createBank, bank], {}).ended;
  assert.equal(created.status, 0, created.stderr);
  await run(t, 'deployment.ts', [bank]);
});
