import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';

/** Licences that permit use, modification and distribution with a product under any licence. */
const allowed: ReadonlySet<string> = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'Apache-2.0',
]);

interface LockedPackage {
  readonly license?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly link?: boolean;
}

/** The production dependencies by folder, including those for other systems. */
async function installed(): Promise<(readonly [string, LockedPackage])[]> {
  const text = await readFile(new URL('../package-lock.json', import.meta.url), 'utf8');
  const { packages } = JSON.parse(text) as { packages: Readonly<Record<string, LockedPackage>> };
  return Object.entries(packages).filter(
    ([folder, { dev, link }]) => folder.includes('node_modules/') && dev !== true && link !== true,
  );
}

const packages = await installed();

describe('Production dependencies', () => {
  it('are in package-lock.json', () => {
    for (const name of ['express', 'libsql', 'better-auth'])
      assert.ok(
        packages.some(([folder]) => folder === `node_modules/${name}`),
        name,
      );
  });

  it('have allowed licences', () => {
    const others = packages
      .filter(([, { license }]) => license === undefined || !allowed.has(license))
      .map(([folder, { license }]) => `${folder}: ${license ?? 'none is named'}`);
    assert.deepEqual(others, []);
  });

  it('have the same licence in their package.json', async () => {
    for (const [folder, { license }] of packages) {
      const file = new URL(`../${folder}/package.json`, import.meta.url);
      // Packages for other systems are not installed.
      const text = await readFile(file, 'utf8').catch(() => undefined);
      if (text === undefined) continue;
      const own = JSON.parse(text) as { license?: string };
      if (own.license !== undefined) assert.equal(own.license, license, folder);
    }
  });
});
