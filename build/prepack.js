// @ts-check
/** Compiles what `npm pack` packs: the program, and the types of what programs can import. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { compilePackage } from './program.js';

await compilePackage();
const options = '--ignoreConfig --strict --module nodenext --target es2023 --rewriteRelativeImportExtensions';
const output = '--declaration --emitDeclarationOnly --rootDir build --outDir compiled';
execFileSync(
  process.execPath,
  ['node_modules/typescript/bin/tsc', 'build/index.ts', ...`${options} ${output}`.split(' ')],
  { cwd: fileURLToPath(new URL('..', import.meta.url)), stdio: 'inherit' },
);
