// @ts-check
/**
 * The compiled program: one folder with what esbuild makes of the TypeScript sources, the scripts of the pages, and the
 * validators that ajv makes of the schemas. It is made when a source has changed, and kept until then, so that a
 * command compiles nothing. Plain JavaScript, since it runs before anything is compiled.
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
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Where compiled programs are kept, and V8's compile cache; `npm ci` empties it. */
export const programCache = join(root, 'node_modules/.cache/pastpaper');

/** The modules that are started by themselves, by the name of what they become. */
const modules = {
  build: 'build/cli.ts',
  gateway: 'gateway/main.ts',
  keys: 'gateway/auth/commands/keys.ts',
  accounts: 'gateway/auth/commands/accounts.ts',
  doctor: 'gateway/ops/doctor/main.ts',
  worker: 'build/worker.ts',
  'release-reader': 'gateway/release/reader.ts',
};

/** The scripts of pages, by the name of what they become. */
const pageScripts = {
  'pages/reference': 'build/site/browser/reference.ts',
  'pages/guides': 'build/site/browser/samples.ts',
  'pages/preview': 'build/preview/browser/preview.ts',
  ...Object.fromEntries(
    ['overview', 'sign-in', 'sign-up', 'forgot-password', 'reset-password'].map((name) => [
      `pages/${name}`,
      `build/site/browser/dashboard/${name}.ts`,
    ]),
  ),
};

/**
 * Packages that stay out of the program: those with native code or threads of their own, and large ones of one file
 * or that few commands load. Of the others, hundreds of files would be found and opened at every start.
 */
const apart = [
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

/** What bundled CommonJS packages load Node's own modules with. */
const requireForBundled = `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(${JSON.stringify(import.meta.url)});`;

/** Programs of earlier sources that stay, for processes that still run them. */
const keptPrograms = 10;

/**
 * @typedef {object} Program
 * @property {string} folder absolute
 * @property {string} version of everything that decides what the program does, Node included: 16 hex digits
 */

/** @type {Promise<Program> | undefined} */
let program;

/**
 * Returns the compiled program of today's sources, and compiles it first if there is none.
 *
 * @returns {Promise<Program>}
 * @throws esbuild's error when a source cannot be compiled
 */
export function compiledProgram() {
  program ??= findProgram();
  return program;
}

/**
 * @param {string} name of a module or page script in the compiled program
 * @returns {Promise<string>} the path of its file
 */
export async function compiledFile(name) {
  return join((await compiledProgram()).folder, `${name}.js`);
}

/** @returns {Promise<Program>} */
async function findProgram() {
  const files = sourceFiles();
  const stamps = files.map(stampOf).join('\n');
  // Two checkouts may share their packages.
  const index = join(programCache, `${hash([root]).slice(0, 8)}.json`);
  const known = readIndex(index);
  if (known?.stamps === stamps && existsSync(known.folder)) return versioned(known.folder, known.digest);
  const digest = hash([root, ...files.flatMap((file) => [file, readFileSync(join(root, file))])]);
  const folder = await keep(digest);
  if (folder.startsWith(programCache)) writeWhole(index, JSON.stringify({ folder, digest, stamps }));
  return versioned(folder, digest);
}

/** @param {string} folder @param {string} digest @returns {Program} */
function versioned(folder, digest) {
  return { folder, version: hash([digest, process.version]).slice(0, 16) };
}

/** @returns {string[]} what the program is made of, relative to the root, sorted */
function sourceFiles() {
  const folders = ['build', 'gateway', 'content/schema'];
  const found = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => `${entry.parentPath}/${entry.name}`.slice(root.length)),
  );
  return [...found.filter((file) => !file.includes('node_modules/')), 'package-lock.json'].sort();
}

/** @param {string} file */
function stampOf(file) {
  const { size, mtimeMs, ctimeMs } = statSync(join(root, file));
  return `${file} ${size} ${mtimeMs} ${ctimeMs}`;
}

/** @param {string} index @returns {{folder: string, digest: string, stamps: string} | undefined} */
function readIndex(index) {
  try {
    return JSON.parse(readFileSync(index, 'utf8'));
  } catch {
    return undefined;
  }
}

/** @param {string} digest @returns {Promise<string>} the folder of the program, complete */
async function keep(digest) {
  const folder = join(programCache, digest.slice(0, 16));
  if (existsSync(folder)) return folder;
  try {
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
    prune();
    return folder;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).syscall === undefined) throw error;
    // Where the cache cannot be written, the program lasts as long as the process.
    const own = mkdtempSync(join(tmpdir(), 'pastpaper-'));
    process.once('exit', () => rmSync(own, { recursive: true, force: true }));
    symlinkSync(join(root, 'node_modules'), join(own, 'node_modules'));
    await compile(own);
    return own;
  }
}

function prune() {
  const programs = readdirSync(programCache, { withFileTypes: true })
    .filter((entry) => /^[0-9a-f]{16}$/.test(entry.name))
    .map(({ name }) => ({ path: join(programCache, name), at: statSync(join(programCache, name)).mtimeMs }))
    .sort((one, other) => other.at - one.at);
  for (const { path } of programs.slice(keptPrograms)) rmSync(path, { recursive: true, force: true });
}

/** @param {string} folder that everything is written to */
async function compile(folder) {
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
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const sources = { ...forNode, plugins: [sourceAddresses] };
  await Promise.all([
    build({
      ...sources,
      entryPoints: modules,
      outdir: folder,
      splitting: true,
      external: apart,
      banner: { js: requireForBundled },
    }),
    build({
      absWorkingDir: root,
      entryPoints: pageScripts,
      outdir: folder,
      bundle: true,
      format: 'esm',
      target: 'es2022',
      minify: true,
      charset: 'utf8',
      legalComments: 'none',
      logLevel: 'silent',
      // Nothing outside the sources may change what a page runs.
      tsconfigRaw: {},
    }),
    compileValidators(),
  ]);

  async function compileValidators() {
    const outfile = join(folder, 'schema-compiler.js');
    await build({ ...sources, entryPoints: ['build/schema-compiler.ts'], outfile, packages: 'external' });
    const { compiledSchemas } = await import(pathToFileURL(outfile).href);
    const stdin = { contents: await compiledSchemas(), resolveDir: root };
    await build({ ...forNode, stdin, outfile: join(folder, 'validators.js') });
  }
}

/**
 * Modules go on to find the files next to them in the sources (styles, samples, schemas), and share this module.
 *
 * @type {import('esbuild').Plugin}
 */
const sourceAddresses = {
  name: 'source-addresses',
  setup(build) {
    build.onResolve({ filter: /\/program\.js$/ }, () => ({ path: import.meta.url, external: true }));
    build.onLoad({ filter: /\/(build|gateway)\/.*\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll(
        'import.meta.url',
        JSON.stringify(pathToFileURL(path).href),
      ),
      loader: 'ts',
    }));
  },
};

/** @param {readonly (string | Buffer)[]} parts @returns {string} SHA-256 in hex */
function hash(parts) {
  const sum = createHash('sha256');
  for (const part of parts) sum.update(`${part.length}\n`).update(part);
  return sum.digest('hex');
}

/** Writes a file whole or, where the folder cannot be written, not at all. @param {string} file @param {string} text */
function writeWhole(file, text) {
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, text);
    renameSync(draft, file);
  } catch {
    rmSync(draft, { force: true });
  }
}
