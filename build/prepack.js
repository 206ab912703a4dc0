// @ts-check
/** Compiles what `npm pack` packs: the program, and the types of what programs can import. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { compilePackage } from './program.js';

await compilePackage();
const options = '--ignoreConfig --target es2023 --noCheck --noResolve';
const output = '--declaration --emitDeclarationOnly --rootDir build --outDir compiled';
const sources = ['build/index.ts', 'build/client.ts', 'build/release/resources.ts'];
execFileSync(
  process.execPath,
  ['node_modules/typescript/bin/tsc', ...sources, ...`${options} ${output}`.split(' ')],
  {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    stdio: 'inherit',
  },
);
