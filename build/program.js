// @ts-check
/**
 * The compiled program: a folder with the bundled TypeScript modules, the scripts of the pages, and the validators that
 * ajv generates from the schemas. It is cached until a source changes, so that commands usually compile nothing. Plain
 * JavaScript, because it runs before anything is compiled.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { usages } from './command-line/usage.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The folder of compiled programs and of V8's compile cache. `npm ci` empties it. */
export const programCache = join(root, 'node_modules/.cache/pastpaper');

/** The program of an installed package, which has no sources. `npm pack` compiles it. */
const packedProgram = join(root, 'compiled');

/** Entry modules of Node.js, by the name of the compiled file. */
const entryModules = {
  build: 'build/cli.ts',
  gateway: 'gateway/main.ts',
  keys: 'gateway/auth/commands/keys.ts',
  accounts: 'gateway/auth/commands/accounts.ts',
  backup: 'gateway/auth/commands/backup.ts',
  doctor: 'gateway/ops/doctor/main.ts',
  'check-config': 'build/check-config.ts',
  worker: 'build/worker.ts',
  'gateway-worker': 'gateway/workers/worker.ts',
  'release-process': 'gateway/release/release-process.ts',
  client: 'build/client.ts',
};

/** The script of all pages, which runs before they are painted. */
const sharedScript = { 'pages/page': 'build/site/browser/page.ts' };

/** Entry modules of the browser, by the name of the compiled file. */
const pageScripts = {
  'pages/search': 'build/site/browser/search.ts',
  'pages/search-engine': 'build/site/browser/search-engine.ts',
  'pages/reference': 'build/site/browser/reference.ts',
  'pages/preview': 'build/preview/browser/preview.ts',
  ...Object.fromEntries(
    ['overview', 'account', 'sign-in', 'sign-up', 'forgot-password', 'reset-password'].map(
      (name) => [`pages/${name}`, `build/site/browser/dashboard/${name}.ts`],
    ),
  ),
};

/**
 * Packages that are not bundled: those with native code or threads of their own, and large ones that are a single file
 * or that few commands load. The others are hundreds of files, which every start would have to find and open.
 */
const externalPackages = [
  'katex',
  'libsql',
  'tinypool',
  'esbuild',
  'pg-native',
  'pg',
  '@redis/client',
  'undici',
  'nodemailer',
];

/** Bundled CommonJS packages need `require` to load Node's own modules. */
const requireBanner =
  "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);";

/** How many programs the cache keeps: processes may still run earlier ones. */
const maxPrograms = 10;

/**
 * @typedef {object} Program
 * @property {string} folder absolute
 * @property {string} version hash of everything that determines what it does, including Node's version: 16 hex digits
 */

/** @type {Promise<Program> | undefined} */
let program;

/**
 * Returns the program of the current sources; compiles it if it is not cached.
 *
 * @returns {Promise<Program>}
 * @throws esbuild's error when a source cannot be compiled
 */
export function compiledProgram() {
  program ??= findProgram();
  return program;
}

/** Returns the path of a file of the compiled program. @param {string} name of an entry module */
export async function compiledFile(name) {
  return join((await compiledProgram()).folder, `${name}.js`);
}

/** @param {string} name of a CommonJS module of the compiled program @returns what it exports */
export async function compiledModule(name) {
  return (await import(pathToFileURL(await compiledFile(name)).href)).default;
}

/** @returns {Promise<Program>} */
async function findProgram() {
  if (!existsSync(join(root, entryModules.build))) {
    const { digest } = JSON.parse(readFileSync(join(packedProgram, 'package.json'), 'utf8'));
    return { folder: packedProgram, version: versionOf(digest) };
  }
  const files = sourceFiles();
  const stamps = files.map(stampOf).join('\n');
  // Checkouts may share node_modules, so each has an index of its own.
  const index = join(programCache, `${hash([root]).slice(0, 8)}.json`);
  const indexed = readIndex(index);
  const isIndexed = indexed?.stamps === stamps;
  const digest = isIndexed ? indexed.digest : digestOf([root], files);
  const version = versionOf(digest);
  const folder = join(programCache, digest.slice(0, 16));
  try {
    if (!existsSync(folder)) await compileToCache(folder);
    if (!isIndexed) writeFileSync(index, JSON.stringify({ digest, stamps }));
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).syscall === undefined) throw error;
    // The cache cannot be written.
    if (!existsSync(folder)) return { folder: await compileForThisProcess(), version };
  }
  return { folder, version };
}

/** @param {string} digest of the program */
function versionOf(digest) {
  return hash([digest, process.version]).slice(0, 16);
}

/** @param {readonly string[]} parts that the program also depends on @param {readonly string[]} files */
function digestOf(parts, files) {
  return hash([...parts, ...files.flatMap((file) => [file, readFileSync(join(root, file))])]);
}

/** @returns {string[]} the files that the program depends on, relative to the root, sorted */
function sourceFiles() {
  const folders = ['build', 'gateway', 'content/schema'];
  const found = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => `${entry.parentPath}/${entry.name}`.slice(root.length)),
  );
  return [
    ...found.filter((file) => !file.includes('node_modules/')),
    'package.json',
    'package-lock.json',
  ].sort();
}

/** @param {string} file */
function stampOf(file) {
  const { size, mtimeMs, ctimeMs } = statSync(join(root, file));
  return `${file} ${size} ${mtimeMs} ${ctimeMs}`;
}

/** @param {string} index @returns {{ digest: string, stamps: string } | undefined} */
function readIndex(index) {
  try {
    return JSON.parse(readFileSync(index, 'utf8'));
  } catch {
    return undefined;
  }
}

/** @param {string} folder of the program, in the cache */
async function compileToCache(folder) {
  mkdirSync(programCache, { recursive: true });
  const draft = mkdtempSync(join(programCache, 'draft-'));
  await compile(draft);
  try {
    renameSync(draft, folder);
  } catch (error) {
    // Another process was first.
    rmSync(draft, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
  const programs = readdirSync(programCache)
    .filter((name) => /^[0-9a-f]{16}$/.test(name))
    .map((name) => ({ name, at: statSync(join(programCache, name)).mtimeMs }))
    .sort((one, other) => other.at - one.at);
  for (const { name } of programs.slice(maxPrograms))
    rmSync(join(programCache, name), { recursive: true, force: true });
}

/** Compiles the program into a temporary folder, which is removed when this process ends. */
async function compileForThisProcess() {
  const folder = mkdtempSync(join(tmpdir(), 'pastpaper-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  await compile(folder);
  return folder;
}

/** Compiles the program for `npm pack`, with source maps. It works wherever the package is installed. */
export async function compilePackage() {
  rmSync(packedProgram, { recursive: true, force: true });
  mkdirSync(packedProgram);
  await compile(packedProgram, digestOf([], sourceFiles()));
}

/** @param {string} folder the output folder @param {string} [digest] of the program, for a package */
async function compile(folder, digest) {
  const { build } = await import('esbuild');
  /** @type {import('esbuild').BuildOptions} */
  const forNode = {
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    mainFields: ['module', 'main'],
    logLevel: 'silent',
  };
  /** @type {import('esbuild').BuildOptions} */
  const forPages = {
    absWorkingDir: root,
    outdir: folder,
    bundle: true,
    target: 'es2022',
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'silent',
    // Nothing outside the sources may change what a page runs.
    tsconfigRaw: {},
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', digest }));
  const sources = {
    ...forNode,
    plugins: [digest === undefined ? absoluteAddresses : addressesFrom(folder)],
  };
  await Promise.all([
    build({
      ...sources,
      entryPoints: entryModules,
      outdir: folder,
      splitting: true,
      external: externalPackages,
      banner: { js: requireBanner },
      sourcemap: digest !== undefined,
    }),
    // Browsers can import it: it has nothing of Node.js.
    build({
      ...sources,
      entryPoints: ['build/index.ts'],
      outdir: folder,
      sourcemap: digest !== undefined,
    }),
    build({ ...forPages, entryPoints: pageScripts, format: 'esm' }),
    build({ ...forPages, entryPoints: sharedScript, format: 'iife' }),
    compileValidators(),
  ]);

  async function compileValidators() {
    const outfile = join(folder, 'schema-compiler.js');
    await build({
      ...sources,
      entryPoints: ['build/schema-compiler.ts'],
      outfile,
      packages: 'external',
    });
    const { compileSchemas, compileResourceSchemas, compileMirrorSchemas } = await import(
      pathToFileURL(outfile).href
    );
    const generate = (/** @type {string} */ name, /** @type {string} */ contents) =>
      build({
        ...forNode,
        stdin: { contents, resolveDir: root },
        outfile: join(folder, `${name}.js`),
      });
    const ofMirror = compileMirrorSchemas();
    const validators = `const exports = {};\n${ofMirror}\nexport const { mirrorValidators } = exports;`;
    await Promise.all([
      generate('validators', compileSchemas()),
      generate('resource-validators', `${compileResourceSchemas()}\n${ofMirror}`),
      build({
        ...forNode,
        minify: true,
        legalComments: 'none',
        stdin: { contents: mirrorClient, resolveDir: root },
        outfile: join(folder, 'pages/pull.js'),
        banner: { js: requireBanner },
        plugins: [
          withContents({
            'build/resource-validators.ts': validators,
            'undici/index.js': undiciAgent,
          }),
        ],
      }),
    ]);
  }
}

/** The command that mirrors a bank, as one file for users who have not installed the package: `/docs/pull.mjs`. */
const mirrorClient = `
  import { runCommand } from './build/command-line/command.ts';
  import { pullCommand } from './build/commands/pull.ts';
  const usage = ${JSON.stringify(usages['pull']?.replace('pastpaper pull', 'node pull.mjs'))};
  const args = process.argv.slice(2);
  if (args.includes('--help')) process.stdout.write(usage);
  else process.exitCode = await runCommand(process, usage, () => pullCommand(args, {}, process));
`;

/** The part of undici that it uses, without fetch and whatever else the package loads. */
const undiciAgent = `
  require('undici/lib/dispatcher/dispatcher.js').prototype.request = require('undici/lib/api/api-request.js');
  exports.EnvHttpProxyAgent = require('undici/lib/dispatcher/env-http-proxy-agent.js');
`;

/** Replaces the contents of files. @param {Readonly<Record<string, string>>} files @returns {import('esbuild').Plugin} */
function withContents(files) {
  return {
    name: 'contents',
    setup(build) {
      for (const [file, contents] of Object.entries(files))
        build.onLoad({ filter: new RegExp(`/${file}$`) }, () => ({ contents, resolveDir: root }));
    },
  };
}

/**
 * Bundled modules still find the files next to their source (styles, samples, schemas), and share this module. In the
 * cache by absolute addresses, because checkouts may share node_modules.
 */
const absoluteAddresses = sourceAddresses(import.meta.url, (path) =>
  JSON.stringify(pathToFileURL(path).href),
);

/** @param {string} folder of the compiled program */
function addressesFrom(folder) {
  const from = (/** @type {string} */ path) => relative(folder, path).replaceAll('\\', '/');
  return sourceAddresses(
    from(fileURLToPath(import.meta.url)),
    (path) => `new URL(${JSON.stringify(from(path))}, import.meta.url).href`,
  );
}

/**
 * @param {string} ownAddress of this module, as an import names it
 * @param {(path: string) => string} addressOf a source, as an expression
 * @returns {import('esbuild').Plugin}
 */
function sourceAddresses(ownAddress, addressOf) {
  return {
    name: 'source-addresses',
    setup(build) {
      build.onResolve({ filter: /\/program\.js$/ }, () => ({ path: ownAddress, external: true }));
      build.onLoad({ filter: /\/(build|gateway)\/.*\.[jt]s$/ }, ({ path }) => ({
        contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', () => addressOf(path)),
        loader: 'ts',
      }));
    },
  };
}

/** @param {readonly (string | Buffer)[]} parts @returns {string} SHA-256 in hex */
function hash(parts) {
  const sum = createHash('sha256');
  for (const part of parts) sum.update(`${part.length}\n`).update(part);
  return sum.digest('hex');
}
