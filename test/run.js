// @ts-check
/**
 * Runs tests, benchmarks and checks: `npm test`, `npm run test:long -- NAME`, `npm run test:all`, `npm run bench -- NAME`,
 * `npm run lint`, `npm run format`, `npm run audit` and `npm run sbom`.
 * Plain JavaScript, so that help and mistakes take no longer than Node needs to start.
 */
import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

const runner = fileURLToPath(import.meta.url);
const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * @typedef {object} Suite
 * @property {string} what it tests, for the list of suites
 * @property {readonly string[]} files test files, or folders of them, each file in a process of its own
 * @property {readonly (readonly string[])[]} [together] test files, or folders of them, that share a process
 * @property {readonly Tool[]} [needs] tools without which it is skipped
 * @property {Readonly<Record<string, string>>} [env]
 * @property {number} [concurrency] how many files run at the same time
 * @property {Readonly<Record<string, string>> | readonly string[]} [full] what its full version adds to the environment,
 *   or the program that it runs instead, with arguments
 *
 * @typedef {object} Tool
 * @property {string} name
 * @property {readonly string[]} programs any of which has to be there
 * @property {string} packages of Debian that have it
 */

/** @type {Readonly<Record<string, Tool>>} */
const tools = {
  chromium: { name: 'Chromium', programs: ['chromium', 'chromium-browser', 'google-chrome'], packages: 'chromium' },
  redis: { name: 'Redis', programs: ['redis-server'], packages: 'redis-server' },
  nginx: { name: 'nginx', programs: ['nginx', '/usr/sbin/nginx'], packages: 'nginx' },
  caddy: { name: 'Caddy', programs: ['caddy'], packages: 'caddy' },
  promtool: { name: 'promtool', programs: ['promtool'], packages: 'prometheus' },
  ip: { name: 'iproute2', programs: ['ip', '/usr/sbin/ip', '/sbin/ip'], packages: 'iproute2' },
  psql: { name: 'PostgreSQL', programs: ['psql'], packages: 'postgresql' },
};

/** @param {readonly string[]} names @returns {readonly Tool[]} */
const needed = (...names) => names.flatMap((name) => tools[name] ?? []);

/** What needs no more than Node. */
const fast = {
  what: 'everything that needs no more than Node, and a browser smoke test',
  // It traces which functions are called.
  files: ['test/structure.test.ts'],
  // Loading better-auth, KaTeX and hundreds of modules takes longer than most files' tests. The longest group is first.
  together: [
    ['test/store', 'test/pull', 'test/docs', ...filesIn('test').filter((file) => file !== 'test/structure.test.ts')],
    [...filesIn('test/build'), 'test/content'],
    [...foldersIn('test/build'), 'test/bench'],
    ['test/gateway/auth'],
    ['test/gateway/access', 'test/gateway/ops', ...filesIn('test/gateway')],
    ['test/specification', 'test/gateway/limits', 'test/gateway/release'],
  ],
};

/** The tests of rules; RULES in the environment selects some. */
const testsOfRules = 'test/build/rules.test.ts';

/** Tests of the store, which run on whatever TEST_STORE and SET_UP name. */
const storeTests = [
  'accounts',
  'attempts-and-usage',
  'database',
  'keys',
  'routes/introspection',
  'routes/own-keys',
  'routes/own-usage',
  'users/limits',
  'users/mail',
  'users/sessions',
  'users/users',
].map((name) => `test/gateway/auth/${name}.test.ts`);
const countingTests = ['in-process', 'stores'].map((name) => `test/gateway/limits/${name}.test.ts`);

/** @type {Readonly<Record<string, Suite>>} */
const suites = {
  browser: {
    what: 'every page in Chromium: keyboard, axe, both themes',
    files: [],
    together: [['test/long/browser']],
    needs: needed('chromium'),
  },
  engine: {
    what: 'builds as processes: reproducible, killed, at once, on a full disk; releases and their current one',
    files: filesIn('test/long/engine'),
    together: [['test/long/engine/releases']],
    full: { KILLS: '200' },
  },
  faults: {
    what: 'gateways whose disk, clock or network fails',
    files: ['test/long/faults'],
    needs: needed('redis'),
    concurrency: 1,
    full: { FAULTS: 'all' },
  },
  fuzz: {
    what: 'generated requests and mutated content; SEED, REQUESTS and MUTATIONS in the environment',
    files: ['test/long/fuzz'],
    full: { REQUESTS: '1000000', MUTATIONS: '100000', SEED: String(Date.now() % 1_000_000) },
  },
  hosts: { what: 'the public files on nginx and Caddy', files: ['test/long/hosts'], needs: needed('nginx', 'caddy') },
  machines: {
    what: 'three gateways in network namespaces, with an object store and Redis Cluster between them',
    files: ['test/long/machines'],
    needs: needed('redis', 'ip'),
    full: { RELEASES: '20' },
  },
  postgres: {
    what: 'the store on PostgreSQL, and a PostgreSQL that fails',
    files: ['test/long/postgres', ...storeTests, ...countingTests],
    needs: needed('psql'),
    env: { TEST_STORE: 'postgres', SET_UP: 'service-postgres' },
  },
  processes: {
    what: 'commands as processes: start, log, health, metrics, drain, swap of releases',
    files: ['test/long/processes'],
    needs: needed('promtool'),
    full: { RESTARTS: '100' },
  },
  pull: { what: 'mirrors of a service', files: ['test/long/pull'], full: { KILLS: '100' } },
  redis: {
    what: 'limits and usage that gateways share in Redis, and a Redis that fails',
    files: ['test/long/redis', 'test/gateway/limits/stores.test.ts', 'test/gateway/auth/routes/own-usage.test.ts'],
    needs: needed('redis', 'psql'),
    env: { TEST_STORE: 'redis', SET_UP: 'service-redis' },
  },
  replicas: {
    what: 'three gateways behind nginx, with the settings of docs/replicas/',
    files: ['test/long/replicas'],
    needs: needed('redis', 'psql', 'nginx'),
    full: { RUNS: '10' },
  },
  'set-ups': {
    what: 'the specification with a service apart, on PostgreSQL and with Redis, and with two workers',
    files: ['test/long/set-ups'],
    needs: needed('redis', 'psql'),
    full: { SET_UPS: 'all' },
  },
  site: { what: 'the programs in the guides and the samples of the reference', files: ['test/long/site'] },
  soak: {
    what: 'load while releases are swapped and keys revoked; REQUESTS in the environment',
    files: ['test/long/soak'],
    full: { REQUESTS: '1000000' },
  },
};

/** Programs that judge or draw, and have no short version. @type {Readonly<Record<string, Suite>>} */
const programs = {
  mutation: {
    what: 'mutation tests of access and limits (CONTRIBUTING.md)',
    files: [],
    full: ['test/mutation/run.ts'],
  },
  mutants: {
    what: 'changes lines of a room (build/rules, gateway/limits) one at a time, and counts what its tests notice',
    files: [],
    full: ['test/mutation/mutants.ts'],
  },
  screenshots: {
    what: 'draws the pictures of the pages in docs/',
    files: [],
    needs: needed('chromium'),
    full: ['test/long/browser/screenshots.ts'],
  },
};

/** The benchmarks, by name; `npm run bench` without a name runs those of `benchOfAll`. */
const benches = {
  'start-up': 'test/bench/start-up.ts',
  validation: 'test/bench/validation.ts',
  build: 'test/bench/build.ts',
  gateway: 'test/bench/gateway/throughput.ts',
  steps: 'test/bench/gateway/step-costs.ts',
  workers: 'test/bench/gateway/workers.ts',
  replicas: 'test/bench/gateway/replicas.ts',
  swap: 'test/bench/gateway/swap.ts',
  travel: 'test/bench/travel.ts',
  memory: 'test/bench/gateway/memory.ts',
  keys: 'test/bench/million-keys.ts',
  revocation: 'test/bench/revocation.ts',
  pages: 'test/bench/page-weight.ts',
  scale: 'test/bench/scale/scale.ts',
};
const benchOfAll = ['start-up', 'validation', 'build', 'gateway'];

const biome = 'node_modules/@biomejs/biome/bin/biome';
const tsc = 'node_modules/typescript/bin/tsc';

/** Checks and lists of the sources: what Node runs for each, one after the other. @type {Readonly<Record<string, readonly (readonly string[])[]>>} */
const checks = {
  lint: [[biome, 'check', '.'], [tsc], [tsc, '-p', 'build/site/browser']],
  format: [[biome, 'check', '--write', '.']],
  audit: [['test/audit.js']],
  sbom: [['test/sbom.js']],
};

/** @param {Readonly<Record<string, Suite>>} all */
const listOf = (all) =>
  Object.entries(all)
    .map(([name, { what }]) => `  ${name.padEnd(12)} ${what}\n`)
    .join('');

const usages = {
  fast: `Usage: npm test [-- NAME...]

Runs the fast suite: ${fast.what}. Or only the tests of each NAME:
a rule (formula-syntax), a folder or file of build/ or gateway/ (rules, gateway/limits, gateway/app.ts),
or a test file or folder (test/specification).
`,
  long: `Usage: npm run test:long -- NAME... [--short]
       npm run test:long -- fuzz|mutation|mutants ARGUMENTS

Runs long suites in their full version, or in the short one; with --short and no NAME, all of
them, two side by side.

${listOf({ ...suites, ...programs })}`,
  all: `Usage: npm run test:all [-- --coverage]

Runs the fast suite, then every long suite in its short version, and prints the seconds that each took.

  --coverage   measure the coverage of lines, and fail below 95 %
`,
  lint: `Usage: npm run lint

Checks format and style with Biome, and types with TypeScript.
`,
  format: `Usage: npm run format

Formats the sources with Biome, and applies its safe fixes.
`,
  audit: `Usage: npm run audit

Fails on high and critical vulnerabilities that the registry knows of in production dependencies. If the registry cannot be
asked, fails in CI (CI in the environment), unless it has no audit endpoint.
`,
  sbom: `Usage: npm run --silent sbom >sbom.cdx.json

Prints the software bill of materials (CycloneDX) of the production dependencies in package-lock.json.
`,
  bench: `Usage: npm run bench [-- NAME [ARGUMENTS]]

Runs one benchmark, or without a name ${benchOfAll.join(', ')}.

${Object.keys(benches)
  .map((name) => `  ${name}\n`)
  .join('')}`,
};

/** Milliseconds after which the fast suite, or a suite in its short version, hangs: it takes a tenth of that. */
const hung = 900_000;

/** What the test runner is started with. */
const reported = ['--import', 'tsx', '--test-reporter=spec'];

const [mode = '', ...args] = process.argv.slice(2);
const mayHang = mode === 'fast' || (mode === 'long' && args.length > 1 && args.includes('--short'));
// A reader that has seen enough (`| head`) ends the command. Tests and checks that were cut off did not pass.
process.stdout.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(mode === 'sbom' ? 0 : 1);
});
process.exitCode = await main();

/** @returns {Promise<number>} the exit status */
async function main() {
  const usage = usages[/** @type {keyof typeof usages} */ (mode)] ?? Object.values(usages).join('\n');
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(usage);
    return 0;
  }
  switch (mode) {
    case 'fast':
      return args.length === 0 ? summary([await runSuite('fast', fast)]) : runNamed(usage);
    case 'long':
      return long();
    case 'all':
      return args.every((arg) => arg === '--coverage') ? all() : wrong(usage, `test:all takes no "${args[0]}".`);
    case 'bench':
      return bench();
    case 'lint':
    case 'format':
    case 'audit':
    case 'sbom':
      return args.length === 0 ? check(mode) : wrong(usage, `${mode} takes no "${args[0]}".`);
    default:
      return wrong(usage, `Unknown mode "${mode}".`);
  }
}

/** @param {string} usage @param {string} message */
function wrong(usage, message) {
  process.stderr.write(`${message}\n\n${usage}`);
  return 2;
}

/** Runs the tests of the names in the arguments, in one process. @param usage */
async function runNamed(/** @type {string} */ usage) {
  const rules = args.filter((name) => testsOf(name).length === 0);
  const unknown = rules.find((name) => !/^[a-z]+(-[a-z]+)*$/.test(name));
  if (unknown !== undefined) return wrong(usage, `Nothing is called "${unknown}".`);
  const files = new Set([...args.flatMap(testsOf), ...(rules.length > 0 ? [testsOfRules] : [])]);
  const env = rules.length > 0 ? { RULES: rules.join() } : {};
  return summary([await runSuite('fast', { what: '', files: [], together: [[...files]], env })]);
}

/** The tests of a name. @param {string} name @returns {string[]} empty: it may be the name of a rule */
function testsOf(name) {
  if (/^test\//.test(name)) return existsSync(join(root, name)) ? testFiles(name) : [];
  const place = name.replace(/\/$/, '').replace(/\.[jt]s$/, '');
  const found = ['test', 'test/build', 'test/gateway'].map((folder) => `${folder}/${place}`);
  const files = found.map((file) => `${file}.test.ts`).filter((file) => existsSync(join(root, file)));
  const folders = found.filter((folder) => existsSync(join(root, folder)));
  if (files.length + folders.length > 0 || !place.includes('/')) return [...files, ...folders.flatMap(testFiles)];
  // Of a file without tests of its own: those of its folder.
  return existsSync(join(root, name)) ? testsOf(dirname(place)) : [];
}

async function long() {
  const isShort = args.includes('--short');
  const words = args.filter((arg) => arg !== '--short');
  /** @type {Readonly<Record<string, Suite>>} */
  const known = { ...suites, ...programs };
  const end = words.findIndex((word) => !Object.hasOwn(known, word));
  const names = words.length === 0 && isShort ? Object.keys(suites) : words.slice(0, end < 0 ? undefined : end);
  const [unknown, ...more] = end < 0 ? [] : words.slice(end);
  const last = known[names.at(-1) ?? ''];
  const program = isShort ? undefined : last?.full;
  if (unknown !== undefined && !Array.isArray(program)) return wrong(usages.long, `Unknown suite "${unknown}".`);
  if (names.length === 0) return wrong(usages.long, 'No suite is named.');
  if (words.length === 0) return summary(await shortSuites());
  const results = [];
  for (const name of names) {
    const suite = /** @type {Suite} */ (known[name]);
    const full =
      suite === last && unknown !== undefined ? { ...suite, full: [...program, unknown, ...more] } : fullOf(suite);
    results.push(await runSuite(name, isShort ? { ...suite, full: undefined } : full));
  }
  return summary(results);
}

/** @param {Suite} suite @returns {Suite} with the environment of its full version, where this process has no other */
function fullOf(suite) {
  const { full } = suite;
  if (full === undefined || Array.isArray(full)) return suite;
  const env = Object.entries(full).map(([name, value]) => [name, process.env[name] ?? value]);
  return { ...suite, env: { ...suite.env, ...Object.fromEntries(env) }, full: undefined };
}

async function all() {
  if (args.includes('--coverage')) {
    const c8 = join(root, 'node_modules/c8/bin/c8.js');
    return (await run([c8, process.execPath, runner, 'all'], {})).status;
  }
  return summary([await runSuite('fast', fast), ...(await shortSuites())]);
}

/**
 * Runs every long suite in its short version, two side by side, for many of their tests wait. Each prints its output when
 * it has ended.
 *
 * @returns {Promise<readonly Result[]>}
 */
async function shortSuites() {
  const names = Object.keys(suites);
  /** @type {Result[]} */
  const results = [];
  const runNext = async () => {
    for (let name = names.shift(); name !== undefined; name = names.shift()) {
      const { status, output } = await run([runner, 'long', name, '--short'], {}, false);
      // Its own process knows how much processor time it took.
      const [, seconds, processor, tests, end] = rowOf(name).exec(output) ?? [];
      const skipped = end?.startsWith('skipped: ') ? { skipped: end.slice('skipped: '.length) } : {};
      results.push({
        name,
        status,
        seconds: Number(seconds),
        processor: Number(processor),
        tests: Number(tests),
        ...skipped,
      });
    }
  };
  await Promise.all([runNext(), runNext()]);
  return results;
}

/** @param {string} name of a suite @returns {RegExp} its row in a summary */
function rowOf(name) {
  return new RegExp(`^${name} +([\\d.]+) +([\\d.]+) +(\\d+)  (.*)$`, 'm');
}

/** @param {keyof typeof checks} name */
async function check(name) {
  for (const words of checks[name] ?? []) {
    const { status } = await run(words, {});
    if (status !== 0) return status;
  }
  return 0;
}

async function bench() {
  const [name, ...more] = args;
  if (name !== undefined && !Object.hasOwn(benches, name)) return wrong(usages.bench, `Unknown benchmark "${name}".`);
  for (const each of name === undefined ? benchOfAll : [name]) {
    const file = benches[/** @type {keyof typeof benches} */ (each)];
    const { status } = await run(['--import', 'tsx', file, ...more], {});
    if (status !== 0) return status;
  }
  return 0;
}

/**
 * @typedef {object} Result
 * @property {string} name
 * @property {number} status
 * @property {number} seconds of wall time
 * @property {number} processor seconds of processor time, of all its processes
 * @property {number} tests
 * @property {string} [skipped] why
 */

/** @param {string} name @param {Suite} suite @returns {Promise<Result>} */
async function runSuite(name, { files, together = [], needs = [], env = {}, concurrency = 2, full }) {
  const missing = needs.filter(({ programs: names }) => !names.some(isInstalled));
  if (missing.length > 0) {
    const why = missing.map((tool) => `${tool.name} is not installed (apt-get install ${tool.packages})`).join(', ');
    const isCi = Boolean(process.env['CI']);
    process[isCi ? 'stderr' : 'stdout'].write(`Suite ${name} ${isCi ? 'failed' : 'skipped'}: ${why}.\n`);
    return { name, status: isCi ? 1 : 0, seconds: 0, processor: 0, tests: 0, skipped: why };
  }
  const start = performance.now();
  const before = childSeconds();
  const commands = Array.isArray(full)
    ? [['--import', 'tsx', ...full]]
    : [
        ...together.map((group) => [...reported, 'test/in-one-process.ts', ...group.flatMap(testFiles)]),
        // Without a file the runner would look for tests by itself.
        ...(files.length > 0
          ? [[...reported, '--test', `--test-concurrency=${concurrency}`, ...files.flatMap(testFiles)]]
          : []),
      ];
  // What processes side by side print would be mixed.
  const isAlone = commands.length === 1;
  let status = 0;
  let tests = 0;
  /** @type {string[]} */
  const failed = [];
  await Promise.all(
    Array.from({ length: availableParallelism() }, async () => {
      for (let command = commands.shift(); command !== undefined; command = commands.shift()) {
        const result = await run(command, env, isAlone);
        tests += Number(/^\S+ tests (\d+)$/m.exec(result.output)?.[1] ?? 0);
        if (result.status === 0) continue;
        status = result.status;
        failed.push(...failedFiles(result.output));
      }
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  const settings = Object.entries(env).map(([key, value]) => `${key}=${value} `);
  for (const file of new Set(failed)) process.stdout.write(`To reproduce: ${settings.join('')}npm test -- ${file}\n`);
  return { name, status, seconds, processor: childSeconds() - before, tests };
}

/** The test files with a failure. @param {string} output of the reporter @returns {string[]} */
function failedFiles(output) {
  const places = output.matchAll(/^(?:✖ |test at )(test\/\S+?\.test\.ts)\b/gm);
  return Array.from(places, ([, file = '']) => file);
}

/**
 * @param {string} place a test file, or a folder
 * @returns {string[]} without those of packages that benchmarks compare with
 */
function testFiles(place) {
  if (place.endsWith('.ts')) return [place];
  return readdirSync(join(root, place), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'))
    .map((file) => join(place, file))
    .sort();
}

/** @param {string} folder @returns {string[]} the test files in it, without those in folders below */
function filesIn(folder) {
  return testFiles(folder).filter((file) => dirname(file) === folder);
}

/** @param {string} folder @returns {string[]} the folders in it */
function foldersIn(folder) {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
}

/** @param {string} program */
function isInstalled(program) {
  if (program.includes('/')) return existsSync(program);
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/**
 * Runs Node in the repository.
 *
 * @param {readonly string[]} words
 * @param {Readonly<Record<string, string>>} env beside this process's own
 * @param {boolean} isStreamed whether its output is printed as it comes, or when it has ended
 * @returns {Promise<{ status: number, output: string }>} with what it printed, without colours
 */
function run(words, env, isStreamed = true) {
  const child = spawn(process.execPath, words, {
    cwd: root,
    env: { ...process.env, ...(process.stdout.isTTY && { FORCE_COLOR: '1' }), ...env },
    stdio: ['inherit', 'pipe', 'inherit'],
    // A server that a test has left behind keeps its process alive.
    ...(mayHang && { timeout: hung }),
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
    if (isStreamed) process.stdout.write(text);
    output += text;
  });
  return new Promise((resolve) =>
    child.on('close', (status, signal) => {
      if (!isStreamed) process.stdout.write(output);
      if (signal !== null) process.stderr.write(`${words.join(' ')}\nwas ended by ${signal}.\n`);
      resolve({ status: status ?? 1, output: stripVTControlCharacters(output) });
    }),
  );
}

/** @returns {number} seconds of processor time that children took which have ended; 0 where the system does not say */
function childSeconds() {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    // proc(5): cutime and cstime, in hundredths of a second.
    return (Number(fields[13]) + Number(fields[14])) / 100;
  } catch {
    return 0;
  }
}

/** @param {readonly Result[]} results @returns {number} the exit status */
function summary(results) {
  const rows = [...results].sort((one, other) => other.seconds - one.seconds);
  const sum = (/** @type {'seconds' | 'processor' | 'tests'} */ key) =>
    rows.reduce((total, row) => total + row[key], 0);
  const line = (/** @type {readonly (string | number)[]} */ [name, seconds, processor, tests, end]) =>
    `${String(name).padEnd(12)} ${String(seconds).padStart(8)} ${String(processor).padStart(10)} ${String(tests).padStart(6)}  ${end}\n`;
  process.stdout.write(`\n${line(['Suite', 'seconds', 'processor', 'tests', ''])}`);
  for (const { name, seconds, processor, tests, status, skipped } of rows) {
    const end = skipped !== undefined ? `skipped: ${skipped}` : status === 0 ? '' : 'failed';
    process.stdout.write(line([name, seconds.toFixed(1), processor.toFixed(1), tests, end]));
  }
  process.stdout.write(line(['All', sum('seconds').toFixed(1), sum('processor').toFixed(1), sum('tests'), '']));
  return rows.some(({ status }) => status !== 0) ? 1 : 0;
}
