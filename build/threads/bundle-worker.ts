import { build } from 'esbuild';

/**
 * Writes what a thread runs as one script, and what it loads later as others beside it. tsx does not reach into
 * threads on Node 20, and would cost each of them a quarter of a second.
 */
export async function bundleWorker(module: URL, folder: string): Promise<void> {
  await build({
    entryPoints: [module.pathname],
    bundle: true,
    splitting: true,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    platform: 'node',
    format: 'esm',
    mainFields: ['module', 'main'],
    target: 'node20',
    // What packages of the older kind ask for while they run.
    banner: {
      js: `import { createRequire } from 'node:module'; const require = createRequire(${JSON.stringify(import.meta.url)});`,
    },
    logLevel: 'silent',
  });
}
