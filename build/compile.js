// @ts-check
/**
 * Compiles the program into `compiled/`, from which commands run: bundled TypeScript modules, the scripts of the pages,
 * and the validators that ajv generates from the schemas. A clone compiles it when a source has changed; `npm pack` runs
 * this file. Plain JavaScript, because it runs before anything is compiled.
 */
import { createHash, randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { usages } from './command-line/usage.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const output = join(root, 'compiled');

/** Entry modules of Node.js, by the name of the compiled file. */
const entryModules = {
  build: 'build/cli.ts',
  gateway: 'gateway/main.ts',
  keys: 'gateway/accounts/commands/keys.ts',
  accounts: 'gateway/accounts/commands/accounts.ts',
  backup: 'gateway/accounts/commands/backup.ts',
  doctor: 'gateway/ops/doctor.ts',
  'check-config': 'build/config.ts',
  worker: 'build/run/worker.ts',
};

/** Entry modules of the browser, by the name of the compiled file. */
const pageScripts = {
  'pages/page': 'build/site/browser/page.ts',
  'pages/search': 'build/site/browser/search.ts',
  'pages/changes': 'build/site/browser/changes.ts',
  'pages/questions': 'build/site/browser/questions.ts',
  'pages/paper': 'build/site/browser/paper.ts',
  'pages/reference': 'build/site/browser/reference.ts',
  'pages/preview': 'build/preview/browser/preview.ts',
  'pages/editor': 'build/preview/browser/editor.ts',
  'pages/overview': 'build/site/browser/dashboard/overview.ts',
  'pages/account': 'build/site/browser/dashboard/account.ts',
  'pages/sign-in': 'build/site/browser/dashboard/sign-in.ts',
  'pages/sign-up': 'build/site/browser/dashboard/sign-up.ts',
  'pages/forgot-password': 'build/site/browser/dashboard/forgot-password.ts',
  'pages/reset-password': 'build/site/browser/dashboard/reset-password.ts',
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
  '@modelcontextprotocol/sdk',
  'zod',
];

/** @type {import('esbuild').BuildOptions} */
const forNode = {
  absWorkingDir: root,
  write: false,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  mainFields: ['module', 'main'],
  logLevel: 'silent',
  // Bundled CommonJS packages need `require` to load Node's own modules.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
  },
};

/** @type {import('esbuild').BuildOptions} */
const forPages = {
  absWorkingDir: root,
  outdir: output,
  write: false,
  bundle: true,
  target: 'es2022',
  minify: true,
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'silent',
  // Nothing outside the sources may change what a page runs.
  tsconfigRaw: {},
};

/**
 * @typedef {object} Program
 * @property {string} folder absolute
 * @property {string} version differs for other sources, and for another version of Node
 */

/** @type {Promise<Program> | undefined} */
let program;

/**
 * Returns the program of the current sources; compiles it if one has changed.
 *
 * @returns {Promise<Program>}
 * @throws esbuild's error when a source cannot be compiled, or that of the file system
 */
export function compiledProgram() {
  program ??= currentProgram();
  return program;
}

/** Returns the path of a file of the compiled program. @param {string} name without its extension */
export async function compiledFile(name) {
  return join((await compiledProgram()).folder, `${name}.js`);
}

/**
 * Loads a generated module: `openapi`, or validators. `validators/quick`, of content, stop at the first error;
 * `validators/full` report all errors, each with its schema and value; `validators/resources` are for the build.
 *
 * @param {string} name
 * @returns {Promise<any>} what it exports: validators by the names of their schemas
 */
export async function compiledModule(name) {
  return import(pathToFileURL(await compiledFile(name)).href);
}

/** @returns {Promise<Program>} */
async function currentProgram() {
  const compiled = readProgram();
  // An installed package has no sources.
  const isCurrent = !existsSync(join(root, entryModules.build)) || compiled.stamp === stampNow();
  const version = isCurrent ? compiled.version : await compile();
  return { folder: output, version: `${version}-${process.version}` };
}

/** @returns {{ stamp?: string, version: string }} */
function readProgram() {
  try {
    return JSON.parse(readFileSync(join(output, 'package.json'), 'utf8'));
  } catch {
    return { version: '' };
  }
}

/** @returns {string[]} the files that the program depends on, relative to the root, sorted */
function sourceFiles() {
  const found = ['build', 'gateway', 'content/schema'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name))),
  );
  return [
    ...found.filter((file) => !file.includes('node_modules')),
    'package.json',
    'package-lock.json',
  ].sort();
}

/** Changes when a source is saved, added or removed. */
function stampNow() {
  return hash(
    sourceFiles().map((file) => {
      const { size, mtimeMs, ctimeMs } = statSync(join(root, file));
      return `${file} ${size} ${mtimeMs} ${ctimeMs}`;
    }),
  );
}

/**
 * Compiles the program, again if a source is saved meanwhile. Several processes can do that at once, and run what was
 * compiled before: files are replaced one by one, and the chunks that entry modules import have a hash in their names.
 *
 * @param {number} kept how long chunks of earlier programs are kept for the processes that run them, in milliseconds
 * @returns {Promise<string>} its version
 */
async function compile(kept = 86_400_000) {
  let stamp = stampNow();
  let files = await compiledFiles();
  for (let now = stampNow(); now !== stamp; now = stampNow()) {
    stamp = now;
    files = await compiledFiles();
  }
  const version = hash(sourceFiles().flatMap((file) => [file, readFileSync(join(root, file))]));
  const described = JSON.stringify({ type: 'module', stamp, version: version.slice(0, 16) });
  const isChunk = (/** @type {string} */ path) => /-[A-Z0-9]{8}\.js$/.test(path);
  for (const { path, contents } of [
    ...files.filter(({ path }) => isChunk(path)),
    ...files.filter(({ path }) => !isChunk(path)),
    { path: join(output, 'package.json'), contents: described },
  ]) {
    const draft = `${path}.${randomUUID()}`;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(draft, contents);
    renameSync(draft, path);
  }
  const used = new Set(files.map(({ path }) => path));
  for (const path of readdirSync(output).map((name) => join(output, name)))
    if (isChunk(path) && !used.has(path) && statSync(path).mtimeMs < Date.now() - kept)
      rmSync(path, { force: true });
  return version.slice(0, 16);
}

async function compiledFiles() {
  const { build } = await import('esbuild');
  const validators = await validatorSources();
  const sources = { ...forNode, outdir: output, plugins: [addressesOfSources] };
  const results = await Promise.all([
    build({
      ...sources,
      entryPoints: entryModules,
      splitting: true,
      external: [...externalPackages, './build/compile.js'],
    }),
    // Browsers can import it: it has nothing of Node.js.
    build({ ...sources, banner: {}, entryPoints: ['build/index.ts'] }),
    build({ ...forPages, entryPoints: pageScripts, format: 'esm' }),
    // One file for Node.js, Deno, Bun and browsers.
    build({
      ...forPages,
      entryPoints: { 'pages/client': 'build/client/client.ts' },
      format: 'esm',
      external: ['node:*'],
    }),
    // Texts have no character references, which micromark reads with the DOM in browsers, or with 30 KB of names.
    build({
      ...forPages,
      entryPoints: { 'pages/render': 'build/site/browser/render.ts' },
      format: 'esm',
      plugins: [
        {
          name: 'no-character-references',
          setup({ onLoad }) {
            const filter = /\/decode-named-character-reference\/index(.dom)?\.js$/;
            const contents = 'export const decodeNamedCharacterReference = () => false;';
            onLoad({ filter }, () => ({ contents }));
          },
        },
      ],
    }),
    build({
      ...forNode,
      stdin: { contents: mirrorClient, resolveDir: root },
      outfile: join(output, 'pages/pull.js'),
      minify: true,
      legalComments: 'none',
    }),
    ...Object.entries(validators).map(([name, contents]) =>
      build({
        ...forNode,
        stdin: { contents, resolveDir: root },
        outfile: join(output, `validators/${name}.js`),
      }),
    ),
  ]);
  const files = results.flatMap(({ outputFiles }) => outputFiles ?? []);
  return [...files, { path: join(output, 'openapi.js'), contents: await openApiModule() }];
}

/** The OpenAPI description as a module: the program reads no YAML. */
async function openApiModule() {
  const { parse } = await import('yaml');
  const text = readFileSync(join(root, 'build/site/openapi/openapi.yaml'), 'utf8');
  return `export default ${JSON.stringify(parse(text, { merge: true }))};`;
}

/** Compiles the schemas: loading what ajv generates takes a hundredth of the time. */
async function validatorSources() {
  const [{ build }, { Ajv2020 }, standalone, formats] = await Promise.all([
    import('esbuild'),
    import('ajv/dist/2020.js'),
    import('ajv/dist/standalone/index.js'),
    import('ajv-formats'),
  ]);
  const { outputFiles } = await build({
    ...forNode,
    banner: {},
    entryPoints: ['build/release/schemas.ts'],
  });
  const { resourceNames, schemas } = await import(
    `data:text/javascript,${encodeURIComponent(outputFiles?.[0]?.text ?? '')}`
  );

  /** The source of a module that exports a validator for each of these schemas. */
  function source(
    /** @type {Readonly<Record<string, import('ajv').AnySchema>>} */ named,
    /** @type {import('ajv').Options} */ options,
  ) {
    const ajv = new Ajv2020({ ...options, code: { source: true, esm: true, lines: true } });
    formats.default.default(ajv);
    // What editors know beside JSON Schema: snippets, and texts for the values of a list.
    ajv.addVocabulary(['defaultSnippets', 'enumDescriptions']);
    for (const [name, schema] of Object.entries(named)) ajv.addSchema(schema, name);
    const names = Object.fromEntries(Object.keys(named).map((name) => [name, name]));
    // Ajv copies all errors so far for each item of a list, which takes minutes for a list of wrong items.
    const code = standalone.default
      .default(ajv, names)
      .replace(/vErrors\.concat\((.+?)\)/g, 'append(vErrors, $1)');
    return `const append = (list, items) => { for (const item of items) list.push(item); return list; };
${code}`;
  }

  const content = {
    exam: readJson('content/schema/exam.schema.json'),
    shift: readJson('content/schema/shift.schema.json'),
    paper: readJson('content/schema/subject-file.schema.json'),
    translation: readJson('content/schema/translation.schema.json'),
    exceptions: readJson('content/schema/exceptions.schema.json'),
    config: readJson('content/schema/config.schema.json'),
  };
  const contentOptions = { discriminator: true, strictTypes: false };
  const references = Object.fromEntries(
    resourceNames.map((/** @type {string} */ name) => [
      name,
      { $ref: `description#/components/schemas/${name}` },
    ]),
  );
  return {
    quick: source(content, contentOptions),
    full: source(content, { ...contentOptions, allErrors: true, verbose: true }),
    resources: source(references, {
      strict: false,
      schemas: [{ $id: 'description', components: { schemas } }],
    }),
  };
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

/**
 * Bundled modules still find the files next to their source (styles, samples, schemas).
 *
 * @type {import('esbuild').Plugin}
 */
const addressesOfSources = {
  name: 'addresses-of-sources',
  setup(build) {
    build.onLoad({ filter: /\/(build|gateway)\/.*\.[jt]s$/ }, ({ path }) => {
      const address = JSON.stringify(relative(output, path).replaceAll('\\', '/'));
      const text = readFileSync(path, 'utf8');
      return {
        contents: text.replaceAll('import.meta.url', `new URL(${address}, import.meta.url).href`),
        loader: 'ts',
      };
    });
  },
};

/** @param {string} file relative to the root */
function readJson(file) {
  return JSON.parse(readFileSync(join(root, file), 'utf8'));
}

/** @param {readonly (string | Buffer)[]} parts @returns {string} SHA-256 in hex */
function hash(parts) {
  const sum = createHash('sha256');
  for (const part of parts) sum.update(`${part.length}\n`).update(part);
  return sum.digest('hex');
}

// For `npm pack`, which packs the whole folder.
if (process.argv[1] === fileURLToPath(import.meta.url)) await compile(0);
