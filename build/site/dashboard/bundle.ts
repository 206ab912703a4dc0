import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const folder = fileURLToPath(new URL('browser/', import.meta.url));

/**
 * Bundles the modules of pages for the browser, one file to a page: the same sources give the same bytes.
 *
 * @param names of the modules in `browser/`, without their ending
 * @returns the bundles by name
 * @throws esbuild's own error when a module does not parse or imports what is not there
 */
export async function bundleScripts(names: readonly string[]): Promise<Map<string, Buffer>> {
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: names.map((name) => ({ in: `${name}.ts`, out: name })),
    outdir: folder,
    write: false,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'silent',
    // Nothing that stands outside the sources may change them.
    tsconfigRaw: {},
  });
  return new Map(outputFiles.map(({ path, contents }) => [nameOf(path), Buffer.from(contents)]));
}

function nameOf(path: string): string {
  return path.slice(folder.length, -'.js'.length);
}
