import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('..', import.meta.url));

interface LockedPackage {
  readonly version: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

async function lockedPackages(file: string): Promise<Readonly<Record<string, LockedPackage>>> {
  return JSON.parse(await readFile(join(repository, file), 'utf8')).packages;
}

describe('Install scripts', () => {
  it('exist in esbuild alone, whose binary is an optional dependency without one', async () => {
    for (const file of [
      'package-lock.json',
      'test/mutation/package-lock.json',
      'test/bench/peers/package-lock.json',
    ]) {
      const packages = await lockedPackages(file);
      for (const [folder, { hasInstallScript, optionalDependencies = {} }] of Object.entries(packages)) {
        if (hasInstallScript !== true) continue;
        assert.match(folder, /(^|\/)node_modules\/esbuild$/, `${file}: ${folder} has an install script`);
        assert.ok(Object.hasOwn(optionalDependencies, '@esbuild/linux-x64'));
      }
    }
  });

  it('are not run by any installation in the documentation, CI and the image', async () => {
    const docs = await readdir(join(repository, 'docs'), { recursive: true });
    const files = [
      ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'Dockerfile', '.ci/run'],
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

/** Runs `npm run audit` with a registry that responds like this. */
async function audit(respond: RequestListener, CI: string) {
  const registry = createServer(respond).listen(0, '127.0.0.1');
  await once(registry, 'listening');
  const child = spawn(process.execPath, ['test/run.js', 'audit'], {
    cwd: repository,
    env: {
      ...process.env,
      CI,
      npm_config_registry: `http://127.0.0.1:${(registry.address() as AddressInfo).port}`,
      npm_config_fetch_retries: '0',
    },
  });
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  registry.close();
  registry.closeAllConnections();
  return { status, output: stdout + stderr };
}

/** Responds with a status and a JSON body. */
function responseOf(status: number, body: object): RequestListener {
  return (request, response) => {
    request.resume().on('end', () => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    });
  };
}

describe('npm run audit', { concurrency: true }, () => {
  it('passes when no vulnerabilities are known', async () => {
    const { status, output } = await audit(responseOf(200, {}), 'true');
    assert.match(output, /^No high or critical vulnerabilities of production dependencies are known\.$/m);
    assert.equal(status, 0);
  });

  it('fails on a high vulnerability, also outside CI', async () => {
    const advisory = {
      ...{ id: 1, title: 'Example', url: 'https://example.org/1', severity: 'high' },
      ...{ vulnerable_versions: '>=0', cwe: [], cvss: { score: 0, vectorString: null } },
    };
    // npm also asks for the versions of the package.
    const { status, output } = await audit((request, response) => {
      const found = request.method === 'POST';
      responseOf(found ? 200 : 404, found ? { leven: [advisory] } : {})(request, response);
    }, '');
    assert.match(output, /^leven .*: high\./m);
    assert.equal(status, 1);
  });

  for (const [what, respond] of [
    ['an error of the registry', responseOf(503, {})],
    ['a broken connection', (request) => request.socket.destroy()],
  ] satisfies [string, RequestListener][]) {
    it(`fails in CI on ${what}`, async () => {
      const { status, output } = await audit(respond, 'true');
      assert.match(output, /^Dependencies were not audited: npm audit failed \(.+\)\.$/m);
      assert.equal(status, 1);
    });
  }

  it('says outside CI that an error of the registry prevented the audit', async () => {
    const { status, output } = await audit(responseOf(503, {}), '');
    assert.match(output, /^Dependencies were not audited: npm audit failed \(503 .+\)\.$/m);
    assert.equal(status, 0);
  });

  it('passes in CI at a registry without an audit endpoint, and says that nothing was audited', async () => {
    const { status, output } = await audit(responseOf(405, {}), 'true');
    assert.match(output, /^Dependencies were not audited: the registry has no audit endpoint \(405 .+\)\.$/m);
    assert.equal(status, 0);
  });
});

describe('npm run sbom', () => {
  it('lists every production dependency of the lock file, with its hash, and no other', async () => {
    const child = spawn(process.execPath, ['test/run.js', 'sbom'], { cwd: repository });
    const [stdout, [status]] = await Promise.all([text(child.stdout), once(child, 'close')]);
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
    const locked = Object.entries(await lockedPackages('package-lock.json'))
      .filter(([folder, { dev }]) => folder !== '' && dev !== true)
      .map(
        ([folder, { version, integrity }]) =>
          `${folder.replace(/^.*node_modules\//, '')}@${version} ${integrity?.replace('sha512-', 'SHA-512 ')}`,
      );
    assert.deepEqual(listed.sort(), [...new Set(locked)].sort());

    const refs = new Set([metadata.component, ...components].map((component) => component['bom-ref']));
    for (const { ref, dependsOn } of dependencies)
      for (const one of [ref, ...dependsOn]) assert.ok(refs.has(one), one);
  });

  it('ends without an error if its reader has seen enough', async () => {
    const child = spawn(process.execPath, ['test/run.js', 'sbom'], { cwd: repository });
    child.stdout.destroy();
    // Until it ends, and the process that it has started.
    const [stderr, [status]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    assert.doesNotMatch(stderr, /EPIPE/);
    assert.equal(status, 0);
  });

  it('is in the image', async () => {
    const dockerfile = await readFile(join(repository, 'Dockerfile'), 'utf8');
    assert.match(dockerfile, /^RUN node test\/sbom\.js >sbom\.cdx\.json$/m);
    assert.match(await readFile(join(repository, '.dockerignore'), 'utf8'), /^!test\/sbom\.js$/m);
  });
});
