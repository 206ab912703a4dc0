import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { promisify } from 'node:util';
import { sampleOrigin } from '../../../build/site/text.ts';
import { temporaryFolder } from '../../build/bank-folder.ts';
import { runGateway } from '../../gateway/running-gateway.ts';
import { repository } from '../../gateway/started-process.ts';
import { codeOf } from './run-sample.ts';

const run = promisify(execFile);

/** A client that uses the generated types. An `@ts-expect-error` is an error if the next line has valid types. */
const client = new URL('client.ts.txt', import.meta.url);

const compilerOptions = { typeRoots: [join(repository, 'node_modules/@types')] };
const config = { extends: join(repository, 'tsconfig.json'), compilerOptions, include: ['.'] };

it('a client and the TypeScript sample compile and run with the types that openapi-typescript generates', async (t) => {
  const folder = await temporaryFolder();
  const gateway = await runGateway({}, 'in-real-time');
  t.after(() => gateway.close());
  const { samples } = await codeOf(join(gateway.config.distDir, 'current/public'));
  const sample = samples.find(({ language }) => language === 'typescript')?.code ?? assert.fail();
  const address = `${sampleOrigin}/docs/openapi.json`;
  assert.match(sample, new RegExp(`^// npx openapi-typescript ${address} -o api\\.d\\.ts\\n`));
  const types = [
    '--yes',
    'openapi-typescript@7',
    `${gateway.baseUrl}/docs/openapi.json`,
    '-o',
    'api.d.ts',
  ];
  try {
    await run('npx', types, { cwd: folder });
  } catch (error) {
    const { stderr } = error as { stderr: string };
    if (process.env['CI'] || !/ENOTFOUND|EAI_AGAIN|ECONNREFUSED/.test(stderr)) throw error;
    t.skip('the npm registry cannot be reached');
    return;
  }
  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await copyFile(client, join(folder, 'client.ts'));
  await writeFile(join(folder, 'sample.ts'), sample.replaceAll(sampleOrigin, gateway.baseUrl));
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const tsc = join(repository, 'node_modules/typescript/bin/tsc');
  for (const modules of [
    ['node16', 'node16'],
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ] as const)
    await run(process.execPath, [
      tsc,
      '-p',
      folder,
      '--module',
      modules[0],
      '--moduleResolution',
      modules[1],
    ]);
  const { key } = await gateway.createKey('reader');
  const env = { ...process.env, BASE_URL: gateway.baseUrl, API_KEY: key };
  const outputOf = async (file: string) => {
    const args = ['--import', 'tsx', join(folder, file)];
    return (await run(process.execPath, args, { cwd: repository, env })).stdout;
  };
  assert.match(await outputOf('sample.ts'), /2026/);
  assert.deepEqual(JSON.parse(await outputOf('client.ts')), {
    shifts: ['2024-01-01-s1', '2024-03-01-s1'],
    isTotal: true,
    isTyped: true,
    diagram: 'image',
    denied: 'Missing API key',
    unused: 3,
  });
});
