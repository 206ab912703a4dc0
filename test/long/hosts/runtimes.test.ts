/** `/docs/client.mjs` under Deno and Bun, whose binaries npm packages bring. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { compiledFile } from '../../../build/compile.js';
import { temporaryFolder } from '../../build/bank-folder.ts';
import { below, mirrorFiles, serve, smallBank } from '../../build/client/served-bank.ts';

const run = promisify(execFile);
const isArm = process.arch === 'arm64';
const runtimes = [
  {
    name: 'Deno',
    source: `@deno/linux-${isArm ? 'arm64' : 'x64'}-glibc@2`,
    binary: 'deno',
    // Tests may have their files in /dev/shm, which needs more than reading and writing.
    args: ['run', '--allow-all'],
  },
  {
    name: 'Bun',
    source: `@oven/bun-linux-${isArm ? 'aarch64' : 'x64'}@1`,
    binary: 'bin/bun',
    args: [],
  },
];

/** Prints what a client says, as JSON. */
const program = `
import { Bank } from './client.mjs';
const [address, folder] = process.argv.slice(2);
const bank = await Bank.open(address);
const selection = { exam: 'neet', years: [2026], count: 10, seed: 7 };
const idsOf = async (source) => (await source.select(selection)).map(({ id }) => id);
const [question] = await bank.select(selection);
const codeOf = (work) => work().then(() => '', ({ name, code }) => name + ' ' + code);
console.log(JSON.stringify({
  selected: await idsOf(bank),
  marks: [bank.score(question, question.answer), bank.score(question, '')],
  synced: await bank.sync(folder, { exam: 'neet', years: [2024] }),
  again: await bank.sync(folder, { exam: 'neet', years: [2024, 2026] }),
  mirror: await idsOf(await Bank.open(folder)),
  changes: await bank.changes(),
  errors: [
    await codeOf(async () => (await Bank.open(address, { key: 'pfx_x' })).paper('neet/2026/s1/physics')),
    await codeOf(() => bank.paper('neet/2026/s9/physics')),
    await codeOf(() => Bank.open(folder + '/none')),
  ],
}));
`;

/** Installs a runtime. @returns its binary; undefined if it cannot be had, which CI does not accept */
async function install({ source, binary }: (typeof runtimes)[number]) {
  const folder = await temporaryFolder();
  const options = ['--silent', '--prefer-offline', '--ignore-scripts', '--prefix', folder];
  try {
    await run('npm', ['install', ...options, source]);
    return join(folder, 'node_modules', source.replace(/@\d+$/, ''), binary);
  } catch (error) {
    if (process.env['CI']) throw error;
    return undefined;
  }
}

describe('The client', async () => {
  const { running, url, files } = await serve(
    await smallBank('neet'),
    undefined,
    undefined,
    'in-real-time',
  );
  const { key } = await running.createKey('reader');
  const home = await temporaryFolder();
  await cp(await compiledFile('pages/client'), join(home, 'client.mjs'));
  await writeFile(join(home, 'program.mjs'), program);

  /** Runs the program, and checks its mirror. @returns what it prints */
  async function outputOf(command: string, args: readonly string[]) {
    const folder = await temporaryFolder();
    const env = { ...process.env, API_KEY: key, DENO_DIR: home, DENO_NO_UPDATE_CHECK: '1' };
    const { stdout } = await run(command, [...args, join(home, 'program.mjs'), url, folder], {
      env,
    });
    assert.deepEqual(await mirrorFiles(folder), below('neet', files));
    return JSON.parse(stdout);
  }

  for (const runtime of runtimes)
    it(`selects, scores, mirrors and lists changes under ${runtime.name} as under Node.js`, async (test) => {
      const binary = await install(runtime);
      if (!binary) return test.skip(`The npm package of ${runtime.name} cannot be installed here.`);
      const [own, expected] = [
        await outputOf(binary, runtime.args),
        await outputOf(process.execPath, []),
      ];
      assert.equal(own.selected.length, 10);
      assert.deepEqual(own.mirror, own.selected);
      assert.ok(own.changes.length > 0);
      assert.deepEqual(own, expected);
    });
});
