import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pullCommand } from '../../../build/commands/pull.ts';
import { temporaryFolder } from '../../build/bank-folder.ts';
import { below, countsOf, mirrorFiles, serve } from '../../build/client/served-bank.ts';
import { runCommandOnSmallDisk } from '../../build/command.ts';
import { type CommandResult, runPastpaper } from '../../gateway/started-process.ts';

const service = await serve(undefined, undefined, undefined, 'in-real-time');
const { key } = await service.running.createKey('reader');

/** Unused by the command. */
const folders = { contentDir: '', distDir: '', dataDir: '' };

describe('npm run pull', () => {
  it('exits with 0 and summarizes a complete mirror', async () => {
    const folder = await temporaryFolder();
    const first = await run([service.url, 'jeemain', '--out', folder]);
    assert.equal(first.status, 0, first.stderr);
    const served = below('jeemain', service.files);
    const { shifts, papers, diagrams } = countsOf(served);
    // A year is one request.
    const years = new Set([...served.keys()].map((path) => path.split('/')[1]));
    assert.match(
      first.stdout.replace(/\d+ s |\d+ kB|\d{4}-\d\d-01/g, (text) => text.replace(/\d+/g, 'N')),
      new RegExp(
        `has all of jeemain: ${shifts} shifts, ${papers} papers, ${diagrams} diagrams, every checksum verified\\.
In N s downloaded ${papers} papers and ${diagrams} diagrams, N kB\\.
${(1_000_000 - years.size).toLocaleString('en')} requests of 1,000,000 are left until N-N-N 00:00 UTC\\.
$`,
      ),
    );
    assert.deepEqual(await mirrorFiles(folder), served);
    const second = await run([`${service.url}/`, 'jeemain/2024', `--out=${folder}`]);
    assert.deepEqual([second.status, second.stderr], [0, '']);
    assert.match(
      second.stdout,
      /has all of jeemain\/2024: .*\nIn \d+ s nothing was downloaded\.\n$/,
    );
  });

  it('requires a service, a scope, a folder and a key, and accepts nothing else', async () => {
    const folder = await temporaryFolder();
    const address =
      /" is not the address of a service\. Use an address such as https:.*, without user, query or fragment/;
    const what =
      /" is not an exam or a year of one\. Name what to pull, such as neet or neet\/2024/;
    const strange = /API_KEY contains characters that no API key has/;
    for (const [args, message, apiKey = key] of [
      [[], /^Missing argument: BASE_URL\./],
      [[service.url], /^Missing argument: EXAM\[/],
      [[service.url, 'neet', '--out', ''], /^Missing --out\. Name the folder for the copy/],
      [[service.url, 'neet', '--out', folder, '--key', 'x'], /^Unknown option "--key"\./],
      [['http://me:secret@localhost', 'neet', '--out', folder], address],
      [[service.url, 'NEET', '--out', folder], what],
      [[service.url, '../neet', '--out', folder], what],
      [[service.url, 'neet', '--out', folder], /API_KEY is not set/, ''],
      [[service.url, 'neet', '--out', folder], strange, `"${key}"`],
    ] as const) {
      process.env['API_KEY'] = apiKey;
      await assert.rejects(pullCommand(args, folders, process), { message });
    }
    assert.deepEqual([...(await mirrorFiles(folder)).keys()], []);
  });

  it('exits with 1 on a full disk, and continues when there is space', async () => {
    const folder = await temporaryFolder();
    const command = ['pull', service.url, 'neet/2024', '--out', folder];
    // No file may have more than 6 KiB: some papers and diagrams have less.
    const { status, stderr } = await runCommandOnSmallDisk(6, command, { API_KEY: key });
    assert.equal(status, 1, stderr);
    assert.match(
      stderr,
      /The file system rejected write of .* \(EFBIG\)\. Completed files are kept\./,
    );
    const served = below('neet/2024', service.files);
    for (const [path, bytes] of await mirrorFiles(folder))
      assert.deepEqual(bytes, served.get(path), path);
    assert.equal((await run(command.slice(1))).status, 0);
    assert.deepEqual(await mirrorFiles(folder), served);
  });

  it('warns when the key is sent unencrypted', async () => {
    const { stderr } = await run([
      'http://nowhere.invalid',
      'neet',
      '--out',
      await temporaryFolder(),
    ]);
    assert.match(
      stderr,
      /^http:\/\/nowhere\.invalid does not use HTTPS\. Others on the network can read the API key\./,
    );
  });
});

/** Runs a pull, and checks that its output contains neither the key nor a stack trace. */
async function run(args: readonly string[]): Promise<CommandResult> {
  const ended = await runPastpaper('pull', { API_KEY: key }, [...args]);
  assert.doesNotMatch(ended.stdout + ended.stderr, /^\s+at /m);
  assert.ok(!(ended.stdout + ended.stderr).includes(key));
  return ended;
}
