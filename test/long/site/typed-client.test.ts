import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
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

/**
 * Runs a program of the npm registry in a folder.
 *
 * @param words the package, and what follows it
 * @returns whether it ran; outside of CI a test is skipped if there is no network
 */
async function ranPackage(
  t: TestContext,
  folder: string,
  words: readonly string[],
): Promise<boolean> {
  try {
    await run('npx', ['--yes', ...words], { cwd: folder });
    return true;
  } catch (error) {
    const { stderr } = error as { stderr: string };
    if (process.env['CI'] || !/ENOTFOUND|EAI_AGAIN|ECONNREFUSED/.test(stderr)) throw error;
    t.skip('the npm registry cannot be reached');
    return false;
  }
}

it('Postman imports the description with a request for each endpoint, and a key for protected ones', async (t) => {
  const folder = await temporaryFolder();
  const gateway = await runGateway();
  t.after(() => gateway.close());
  const published = join(gateway.config.distDir, 'current/public/docs/openapi.json');
  const words = ['--package', 'openapi-to-postmanv2@6', 'openapi2postmanv2'];
  if (!(await ranPackage(t, folder, [...words, '-s', published, '-o', 'postman.json']))) return;
  const requests = requestsOf(JSON.parse(await readFile(join(folder, 'postman.json'), 'utf8')));
  const { paths } = JSON.parse(await readFile(published, 'utf8'));
  const described = Object.keys(paths).map((path) => path.slice(1).replaceAll(/\{(\w+)\}/g, ':$1'));
  assert.deepEqual(
    new Set(requests.map(({ url }) => url.path?.join('/') ?? '')),
    new Set(described),
  );
  const withKey = requests.filter(({ auth }) => auth?.type === 'bearer');
  assert.ok(withKey.some(({ url }) => url.path?.join('/') === ':exam/:year/:shift/:file'));
});

/** A request of a Postman collection. */
interface PostmanRequest {
  readonly url: { readonly path?: readonly string[] };
  readonly auth?: { readonly type: string } | null;
}

/** A folder of a collection, or one of its requests. */
interface PostmanItem {
  readonly item?: readonly PostmanItem[];
  readonly request?: PostmanRequest;
}

function requestsOf({ item = [], request }: PostmanItem): PostmanRequest[] {
  return [...(request ? [request] : []), ...item.flatMap(requestsOf)];
}

it('a client and the TypeScript sample compile and run with the types that openapi-typescript generates', async (t) => {
  const folder = await temporaryFolder();
  const gateway = await runGateway({}, 'in-real-time');
  t.after(() => gateway.close());
  const { samples } = await codeOf(join(gateway.config.distDir, 'current/public'));
  const sample = samples.find(({ language }) => language === 'typescript')?.code ?? assert.fail();
  const address = `${sampleOrigin}/docs/openapi.json`;
  assert.match(sample, new RegExp(`^// npx openapi-typescript ${address} -o api\\.d\\.ts\\n`));
  const source = `${gateway.baseUrl}/docs/openapi.json`;
  const types = ['openapi-typescript@7', source, '-o', 'api.d.ts'];
  if (!(await ranPackage(t, folder, types))) return;
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
