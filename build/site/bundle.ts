import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/**
 * Bundles the modules of pages for the browser, one file to a page: the same sources give the same bytes.
 *
 * @param folderUrl of the folder that holds the modules, with a slash at its end
 * @param names of the modules, without their ending
 * @returns the bundles by name
 * @throws esbuild's own error when a module does not parse or imports what is not there
 */
export async function bundleScripts(folderUrl: URL, names: readonly string[]): Promise<Map<string, Buffer>> {
  const folder = fileURLToPath(folderUrl);
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
  return new Map(outputFiles.map(({ path, contents }) => [nameOf(folder, path), Buffer.from(contents)]));
}

/** Bundles the module of a single page, as `bundleScripts` does those of several. */
export async function bundleScript(folderUrl: URL, name: string): Promise<Buffer> {
  const bundle = (await bundleScripts(folderUrl, [name])).get(name);
  if (!bundle) throw new Error(`The bundler made no ${name}.js.`);
  return bundle;
}

function nameOf(folder: string, path: string): string {
  return path.slice(folder.length, -'.js'.length);
}
