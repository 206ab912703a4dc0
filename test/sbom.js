// @ts-check
/**
 * Prints the software bill of materials (CycloneDX, JSON) of the production dependencies in the lock file. The same lock
 * file and npm give the same text.
 * Plain JavaScript, so that the image can run it without tests.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * @typedef {object} Component
 * @property {string} bom-ref
 * @property {readonly { readonly name: string }[]} [properties]
 */

const { name } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const { stdout, status } = spawnSync(
  'npm',
  ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'],
  {
    cwd: new URL('..', import.meta.url),
    encoding: 'utf8',
    maxBuffer: Infinity,
    stdio: ['ignore', 'pipe', 'inherit'],
  },
);
if (status !== 0) process.exit(1);
const sbom = JSON.parse(stdout);
// A random number, the time, and the name of the folder.
sbom.serialNumber = undefined;
sbom.metadata.timestamp = undefined;
sbom.metadata.component.name = name;
// `npm sbom --omit=dev` also omits production dependencies that development dependencies share.
sbom.components = sbom.components.filter(
  (/** @type {Component} */ { properties }) =>
    !properties?.some((property) => property.name === 'cdx:npm:package:development'),
);
const refs = new Set(
  [sbom.metadata.component, ...sbom.components].map((component) => component['bom-ref']),
);
sbom.dependencies = sbom.dependencies.flatMap(
  (/** @type {{ ref: string, dependsOn: readonly string[] }} */ { ref, dependsOn }) =>
    refs.has(ref) ? [{ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }] : [],
);
// A reader that has seen enough (`| head`).
process.stdout.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
  if (error.code !== 'EPIPE') throw error;
});
process.stdout.write(`${JSON.stringify(sbom, null, 2)}\n`);
