/**
 * Runs tests and benchmarks: `npm test`, `npm run test:long -- NAME`, `npm run test:all` and `npm run bench -- NAME`.
 * Plain JavaScript, so that help and mistakes take no longer than Node needs to start.
 */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statfsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { compiledProgram } from '../build/compile.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * @typedef {object} Suite
 * @property {readonly string[]} [files] test files, or folders of them, each file in a process of its own
 * @property {readonly (readonly string[])[]} [together] test files, or folders of them, that share a process
 * @property {boolean} [isOnlyFull] it runs only by its name: it takes as long as several others
 * @property {readonly string[]} [needs] programs without which it is skipped, some with others that do as well: `a|b`
 * @property {Readonly<Record<string, string>>} [env]
 * @property {number} [concurrency] how many processes run at the same time
 * @property {Readonly<Record<string, string>>} [full] what its full version adds to the environment
 */

/** Folders of tests of the build that start a gateway. */
const buildsWithGateway = ['test/build/preview', 'test/build/client', 'test/build/site'];

/** What needs no more than Node. @type {Suite} */
const fast = {
  // Each process loads KaTeX and hundreds of modules. The first two never load a gateway. These take about equally long.
  together: [
    [
      ...foldersIn('test/build').filter((folder) => !buildsWithGateway.includes(folder)),
      'test/bench',
    ],
    [...filesIn('test/build'), 'test/content', 'test/store'],
    ['test/gateway/accounts', 'test/build/client'],
    [
      // The first file traces which functions are called: nothing runs in the background yet.
      ...[
        'test/structure.test.ts',
        ...filesIn('test'),
        'test/docs',
        'test/build/preview',
        'test/build/site',
      ],
      ...foldersIn('test/gateway').filter((folder) => folder !== 'test/gateway/accounts'),
      ...[...filesIn('test/gateway'), 'test/specification'],
    ],
  ],
  // On two cores, too: while one waits, another goes on.
  concurrency: 4,
};

/** The tests of rules; RULES in the environment selects some. */
const testsOfRules = 'test/build/rules.test.ts';

/** Tests of the store, which run on whatever TEST_STORE and SET_UP name. */
const storeTests =
  'accounts usage store keys routes/introspection routes/own-keys routes/own-usage users/mail users/sessions users/users'
    .split(' ')
    .map((name) => `test/gateway/accounts/${name}.test.ts`);
const countingTests = ['in-process', 'stores'].map((name) => `test/gateway/limits/${name}.test.ts`);

/** @type {Readonly<Record<string, Suite>>} */
const suites = {
  browser: {
    together: [['test/long/browser']],
    needs: ['chromium|chromium-browser|google-chrome'],
  },
  engine: {
    files: filesIn('test/long/engine'),
    together: [['test/long/engine/releases']],
    // Of the workflow of a new bank, and of the guide to importing.
    needs: ['rsync', 'pandoc'],
    full: { KILLS: '200', FLIPS: '1000' },
  },
  faults: {
    files: ['test/long/faults'],
    needs: ['redis-server'],
    concurrency: 1,
    full: { FAULTS: 'all' },
  },
  fuzz: {
    files: ['test/long/fuzz'],
    full: {
      REQUESTS: '1000000',
      MUTATIONS: '100000',
      TEXTS: '250',
      ITEMS: '2500',
      SEED: String(Date.now() % 1_000_000),
    },
  },
  hosts: { files: ['test/long/hosts'], needs: ['nginx', 'caddy'] },
  images: { files: ['test/long/images'], needs: ['buildah', 'mmdebstrap'], isOnlyFull: true },
  machines: {
    files: ['test/long/machines'],
    needs: ['redis-server', 'psql', 'nginx', 'ip'],
    full: { RELEASES: '20' },
  },
  postgres: {
    files: ['test/long/postgres'],
    together: [[...storeTests, ...countingTests]],
    needs: ['psql'],
    env: { TEST_STORE: 'postgres', SET_UP: 'service-postgres' },
  },
  processes: {
    together: [['test/long/processes']],
    needs: ['promtool'],
    full: { RESTARTS: '100' },
  },
  pull: { files: ['test/long/pull'], full: { KILLS: '100' } },
  redis: {
    files: [
      'test/long/redis',
      'test/gateway/limits/stores.test.ts',
      'test/gateway/accounts/routes/own-usage.test.ts',
    ],
    // The second set-up of the specification: apart. The fast suite has the first: embedded.
    together: [['test/specification', 'test/gateway/record.test.ts']],
    needs: ['redis-server', 'psql'],
    env: { TEST_STORE: 'redis', SET_UP: 'service-redis' },
  },
  replicas: {
    files: ['test/long/replicas'],
    needs: ['redis-server', 'psql', 'nginx'],
    full: { RUNS: '10' },
  },
  site: { files: ['test/long/site'] },
  soak: { files: ['test/long/soak'], full: { REQUESTS: '1000000' } },
  swift: { files: ['test/long/swift'], needs: ['swift-proxy-server'] },
};

/** Programs that draw, and take arguments. */
const programs = {
  screenshots: 'test/long/browser/screenshots.ts',
  'contact-sheet': 'test/long/browser/contact-sheet.ts',
};

/** The benchmarks, by name; `npm run bench` without a name runs those of `benchOfAll`. */
const benches = {
  'start-up': 'test/bench/start-up.ts',
  validation: 'test/bench/validation.ts',
  build: 'test/bench/build.ts',
  gateway: 'test/bench/gateway/throughput.ts',
  flood: 'test/bench/gateway/flood.ts',
  travel: 'test/bench/travel.ts',
  memory: 'test/bench/gateway/memory.ts',
  packs: 'test/bench/gateway/packs.ts',
};
const benchOfAll = ['start-up', 'validation', 'build', 'gateway'];

/** Processes of tests share the cores: threads that collect garbage would take them from each other. */
const flagsOfTests = [
  '--single-threaded-gc',
  '--max-semi-space-size=32',
  '--require',
  './test/test-of-resource.cjs',
];

/** The suites with a short version. */
const shortNames = Object.keys(suites).filter((name) => !suites[name].isOnlyFull);

/** The suites that take longest in their short version: they start first, so that none is left alone at the end. */
const longest = 'engine processes fuzz postgres redis faults machines'.split(' ');

/** Characters that the summary repeats of what failed in a process. */
const maxFailure = 5_000;

/** Milliseconds after which a process of the fast suite, or of a suite in its short version, hangs: it takes a tenth of that. */
const hung = 900_000;

const [mode = '', ...args] = process.argv.slice(2);
const mayHang = mode === 'fast' || mode === 'all' || args.includes('--short');
// A reader that has seen enough (`| head`) ends the command. Tests that were cut off did not pass.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(1);
});
process.exitCode = await main();

/** @returns {Promise<number>} the exit status */
async function main() {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(usage());
    return 0;
  }
  switch (mode) {
    case 'fast':
      return args.length === 0 ? summary([await runSuite('fast', fast)]) : runNamed();
    case 'long':
      return long();
    case 'all':
      if (args.length > 0) return wrong(`test:all takes no "${args[0]}".`);
      return summary([await runSuite('fast', fast), ...(await shortSuites())]);
    case 'bench':
      return bench();
    default:
      return wrong(`Unknown mode "${mode}".`);
  }
}

function usage() {
  return readFileSync(new URL('usage.txt', import.meta.url), 'utf8');
}

/** @param {string} message */
function wrong(message) {
  process.stderr.write(`${message}\n\n${usage()}`);
  return 2;
}

/** Runs the tests of the names in the arguments, in one process. */
async function runNamed() {
  const rules = args.filter((name) => testsOf(name).length === 0);
  const unknown = rules.find((name) => !/^[a-z]+(-[a-z]+)*$/.test(name));
  if (unknown !== undefined) return wrong(`Nothing is called "${unknown}".`);
  const files = new Set([...args.flatMap(testsOf), ...(rules.length > 0 ? [testsOfRules] : [])]);
  const env = rules.length > 0 ? { RULES: rules.join() } : {};
  return summary([await runSuite('fast', { together: [[...files]], env })]);
}

/** The tests of a name. @param {string} name @returns {string[]} empty: it may be the name of a rule */
function testsOf(name) {
  if (/^test\//.test(name)) return existsSync(join(root, name)) ? testFiles(name) : [];
  const place = name.replace(/\/$/, '').replace(/\.[jt]s$/, '');
  const found = ['test', 'test/build', 'test/gateway'].map((folder) => `${folder}/${place}`);
  const files = found
    .map((file) => `${file}.test.ts`)
    .filter((file) => existsSync(join(root, file)));
  const folders = found.filter((folder) => existsSync(join(root, folder)));
  if (files.length + folders.length > 0 || !place.includes('/'))
    return [...files, ...folders.flatMap(testFiles)];
  // Of a file without tests of its own: those of its folder.
  return existsSync(join(root, name)) ? testsOf(dirname(place)) : [];
}

async function long() {
  const isShort = args.includes('--short');
  const names = args.filter((arg) => arg !== '--short');
  const [first, ...more] = names;
  if (first === undefined)
    return isShort ? summary(await shortSuites()) : wrong('No suite is named.');
  if (Object.hasOwn(programs, first)) return runProgram(programs[first], more);
  const unknown = names.find((name) => !Object.hasOwn(suites, name));
  if (unknown !== undefined) return wrong(`Unknown suite "${unknown}".`);
  const results = [];
  for (const name of names) {
    const { full = {}, ...suite } = suites[name];
    results.push(
      await runSuite(name, isShort ? suite : { ...suite, env: { ...suite.env, ...full } }),
    );
  }
  return summary(results);
}

/** Runs every long suite in its short version: two side by side, because many tests wait, and beside them the browser's. */
async function shortSuites() {
  const results = [];
  const runShort = async (name) => {
    results.push(await runSuite(name, suites[name], false));
  };
  const others = new Set([...longest, ...shortNames.filter((name) => name !== 'browser')]);
  await Promise.all([runShort('browser'), inParallel(2, others, runShort)]);
  return results;
}

async function bench() {
  const [name, ...more] = args;
  if (name !== undefined && !Object.hasOwn(benches, name))
    return wrong(`Unknown benchmark "${name}".`);
  for (const each of name === undefined ? benchOfAll : [name]) {
    const status = await runProgram(benches[each], more);
    if (status !== 0) return status;
  }
  return 0;
}

/** @param {string} file @param {readonly string[]} words its arguments @returns {Promise<number>} the exit status */
async function runProgram(file, words) {
  return (await run(['--import', 'tsx', file, ...words], {})).status;
}

/** @template Item @param {number} count @param {Iterable<Item>} items @param {(item: Item) => Promise<void>} work */
async function inParallel(count, items, work) {
  const queue = [...items].values();
  await Promise.all(
    Array.from({ length: count }, async () => {
      for (const item of queue) await work(item);
    }),
  );
}

/**
 * @typedef {object} Result
 * @property {string} name
 * @property {number} status
 * @property {number} seconds of wall time
 * @property {number} tests
 * @property {readonly string[]} failures what failed, and how to reproduce it
 * @property {string} [skipped] why
 */

/**
 * @param {string} name
 * @param {Suite} suite
 * @param {boolean} isAlone whether no other suite runs beside it
 * @returns {Promise<Result>}
 */
async function runSuite(
  name,
  { files = [], together = [], needs = [], env = {}, concurrency = 2 },
  isAlone = true,
) {
  const missing = needs.filter((programs) => !programs.split('|').some(isInstalled));
  if (missing.length > 0) {
    const why = missing
      .map((program) => `${program} is not installed (.ci/run installs it)`)
      .join(', ');
    const isCi = Boolean(process.env['CI']);
    process[isCi ? 'stderr' : 'stdout'].write(
      `Suite ${name} ${isCi ? 'failed' : 'skipped'}: ${why}.\n`,
    );
    return { name, status: isCi ? 1 : 0, seconds: 0, tests: 0, failures: [], skipped: why };
  }
  const start = performance.now();
  // Otherwise, several processes of tests compile it at once.
  await compiledProgram();
  const groups = [
    ...together.map((group) => new Set(group.flatMap(testFiles))),
    ...files.flatMap(testFiles).map((file) => [file]),
  ];
  const commands = groups.map((group) => [
    ...flagsOfTests,
    '--test-reporter=spec',
    'test/in-one-process.ts',
    ...group,
  ]);
  const result = { name, status: 0, seconds: 0, tests: 0 };
  const failures = [];
  const failed = [];
  await inParallel(concurrency, commands, async (command) => {
    // What processes side by side print would be mixed.
    const isStreamed = isAlone && commands.length === 1;
    const { status, output } = await run(['--import', 'tsx', ...command], env, isStreamed);
    result.tests += Number(/^\S+ tests (\d+)$/m.exec(output)?.[1] ?? 0);
    if (status === 0) return;
    result.status = status;
    if (!isStreamed) failures.push(failingTests(output));
    failed.push(...failedFiles(output));
  });
  const { SEED } = process.env;
  const settings = Object.entries(SEED ? { ...env, SEED } : env).map(
    ([key, value]) => `${key}=${process.env[key] ?? value} `,
  );
  for (const file of new Set(failed))
    failures.push(`To reproduce: ${settings.join('')}npm test -- ${file}`);
  return { ...result, failures, seconds: (performance.now() - start) / 1000 };
}

/** The test files with a failure. @param {string} output of the reporter @returns {string[]} */
function failedFiles(output) {
  const places = output.matchAll(/^(?:✖ |test at )(test\/\S+?\.test\.ts)\b/gm);
  return Array.from(places, ([, file = '']) => file);
}

/** The tests that failed, with their errors: the end of the reporter's output. @param {string} output */
function failingTests(output) {
  const start = output.indexOf('✖ failing tests:');
  return start < 0 ? output.slice(-maxFailure) : output.slice(start).slice(0, maxFailure);
}

/** @param {string} place a test file, or a folder @returns {string[]} without those of packages below it */
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
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin'];
  return folders.some((folder) => existsSync(join(folder, program)));
}

/**
 * Runs Node in the repository.
 *
 * @param {readonly string[]} words
 * @param {Readonly<Record<string, string>>} env beside this process's own, which comes first
 * @param {boolean} isStreamed whether its output is printed as it comes, or when it has ended
 * @returns {Promise<{ status: number, output: string }>} with what it printed, without colours
 */
function run(words, env, isStreamed = true) {
  const child = spawn(process.execPath, words, {
    cwd: root,
    env: {
      ...env,
      ...process.env,
      ...(process.stdout.isTTY && { FORCE_COLOR: '1' }),
      TMPDIR: temporaryFolder(),
    },
    stdio: ['inherit', 'pipe', 'inherit'],
    // A server that a test has left behind keeps its process alive.
    timeout: mayHang ? hung : undefined,
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
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

/** Where fast tests put files: in memory if it has a gigabyte of room, so that the speed of the disk matters less. */
function temporaryFolder() {
  const { TMPDIR } = process.env;
  if (TMPDIR !== undefined || mode !== 'fast' || !existsSync('/dev/shm')) return TMPDIR;
  const { bavail, bsize } = statfsSync('/dev/shm');
  return bavail * bsize > 2 ** 30 ? '/dev/shm' : undefined;
}

/** @param {readonly Result[]} results @returns {number} the exit status */
function summary(results) {
  const rows = [...results].sort((one, other) => other.seconds - one.seconds);
  const line = ([name, seconds, tests, end]) =>
    process.stdout.write(
      `${name.padEnd(14)} ${seconds.padStart(8)} ${tests.padStart(6)}  ${end}\n`,
    );
  line(['\nSuite', 'seconds', 'tests', '']);
  for (const { name, seconds, tests, status, skipped } of rows) {
    const end = skipped !== undefined ? `skipped: ${skipped}` : status === 0 ? '' : 'failed';
    line([name, seconds.toFixed(1), `${tests}`, end]);
  }
  // The last lines of a long output are what CI shows.
  for (const { name, failures } of rows)
    for (const failure of failures) process.stdout.write(`\n${name}: ${failure.trim()}\n`);
  return rows.some(({ status }) => status !== 0) ? 1 : 0;
}
