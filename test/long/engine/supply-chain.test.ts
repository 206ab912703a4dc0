import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { describe, it } from 'node:test';
import { temporaryFolder } from '../../build/bank-folder.ts';
import { repository, startCommand } from '../../gateway/started-process.ts';

interface LockedPackage {
  readonly version: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

async function lockedPackages(): Promise<Readonly<Record<string, LockedPackage>>> {
  return JSON.parse(await readFile(join(repository, 'package-lock.json'), 'utf8')).packages;
}

describe('Install scripts', () => {
  it('exist in esbuild alone, whose binary is an optional dependency without one', async () => {
    const packages = await lockedPackages();
    for (const [folder, { hasInstallScript, optionalDependencies = {} }] of Object.entries(
      packages,
    )) {
      if (hasInstallScript !== true) continue;
      assert.match(folder, /(^|\/)node_modules\/esbuild$/, `${folder} has an install script`);
      assert.ok(Object.hasOwn(optionalDependencies, '@esbuild/linux-x64'));
    }
  });

  it('are not run by any installation in the documentation, CI and the image', async () => {
    const docs = await readdir(join(repository, 'docs'), { recursive: true });
    const files = [
      ...[
        'README.md',
        'CONTRIBUTING.md',
        'SECURITY.md',
        'Dockerfile',
        '.ci/run',
        'build/starter/README.md',
      ],
      ...docs.filter((file) => /\.(md|ya?ml)$/.test(file)).map((file) => join('docs', file)),
    ];
    const commands: string[] = [];
    for (const file of files) {
      const content = await readFile(join(repository, file), 'utf8');
      for (const [command] of content.matchAll(/\bnpm (?:ci|cit|install|i)\b[^\n`&|;]*/g)) {
        commands.push(command);
        assert.match(command, / --ignore-scripts\b/, `${file}: ${command}`);
      }
    }
    assert.ok(commands.length >= 7, commands.join('\n'));
  });
});

/**
 * Licences that permit use, modification and distribution with a product under any licence. That of fonts, OFL, forbids
 * only to sell them alone.
 */
const allowed =
  'MIT MIT-0 ISC 0BSD BSD-2-Clause BSD-3-Clause BlueOak-1.0.0 Apache-2.0 OFL-1.1'.split(' ');

describe('Production dependencies', async () => {
  // Including those for other systems.
  const packages = Object.entries(await lockedPackages()).filter(
    ([folder, { dev, link }]) => folder.includes('node_modules/') && dev !== true && link !== true,
  );

  it('have allowed licences', () => {
    const folders = packages.map(([folder]) => folder);
    for (const name of ['express', 'libsql', 'better-auth'])
      assert.ok(folders.includes(`node_modules/${name}`));
    for (const [folder, { license = 'no licence' }] of packages)
      assert.ok(allowed.includes(license), `${folder}: ${license}`);
  });
});

/** A PATH with an npm that prints this, because npm itself takes a second. */
async function pathOfNpm(printed: object): Promise<string> {
  const bin = await temporaryFolder();
  await writeFile(join(bin, 'npm'), `#!/bin/sh\necho '${JSON.stringify(printed)}'\n`, {
    mode: 0o755,
  });
  return `${bin}${delimiter}${process.env['PATH']}`;
}

describe('npm run audit', { concurrency: true }, () => {
  const [low, high] = ['low', 'high'].map((severity) => ({ leven: { severity, range: '*' } }));
  const passed = /^No high or critical vulnerabilities of production dependencies are known\.$/m;
  const failed = /^Dependencies were not audited: npm audit failed \(.+\)\.$/m;
  const cases: readonly (readonly [string, printed: object, status: number, output: RegExp])[] = [
    ['passes when no serious vulnerabilities are known', { vulnerabilities: low }, 0, passed],
    ['fails on a high vulnerability', { vulnerabilities: high }, 1, /^leven \*: high\./m],
    ['fails in CI on an error of the registry', { message: '503', statusCode: 503 }, 1, failed],
    [
      'passes at a registry without an audit endpoint, and says that nothing was audited',
      { message: '405 Method Not Allowed', statusCode: 405 },
      0,
      /^Dependencies were not audited: the registry has no audit endpoint \(405 .+\)\.$/m,
    ],
  ];
  for (const [name, printed, status, output] of cases)
    it(name, async () => {
      const settings = { PATH: await pathOfNpm(printed), CI: 'true' };
      const ended = await startCommand(process.execPath, ['test/audit.js'], settings).ended;
      assert.match(ended.stdout + ended.stderr, output);
      assert.equal(ended.status, status);
    });
});

describe('npm run sbom', () => {
  it('lists every production dependency of the lock file, with its hash, and no other', async () => {
    const { status, stdout } = await startCommand(process.execPath, ['test/sbom.js'], {}).ended;
    assert.equal(status, 0);
    const { bomFormat, metadata, components, dependencies } = JSON.parse(stdout);
    assert.equal(bomFormat, 'CycloneDX');
    assert.equal(metadata.component.name, 'pastpaper');

    interface Component {
      readonly name: string;
      readonly version: string;
      readonly hashes: readonly { readonly alg: string; readonly content: string }[];
    }
    const listed = components.map(({ name, version, hashes }: Component) => {
      const hash = hashes.map(
        ({ alg, content }) => `${alg} ${Buffer.from(content, 'hex').toString('base64')}`,
      );
      return `${name}@${version} ${hash}`;
    });
    const locked = Object.entries(await lockedPackages())
      .filter(([folder, { dev }]) => folder !== '' && dev !== true)
      .map(
        ([folder, { version, integrity }]) =>
          `${folder.replace(/^.*node_modules\//, '')}@${version} ${integrity?.replace('sha512-', 'SHA-512 ')}`,
      );
    assert.deepEqual(listed.sort(), [...new Set(locked)].sort());

    const refs = new Set(
      [metadata.component, ...components].map((component) => component['bom-ref']),
    );
    for (const { ref, dependsOn } of dependencies)
      for (const one of [ref, ...dependsOn]) assert.ok(refs.has(one), one);
  });
});
