#!/usr/bin/env node
// @ts-check
/**
 * The command line: `pastpaper COMMAND ...`, which the npm scripts call, too. Plain JavaScript, so that help takes no
 * longer than Node needs to start; commands run from the compiled program.
 */
import { executionAsyncResource } from 'node:async_hooks';
import module from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { usages } from './command-line/usage.js';

const [name = '', ...args] = process.argv.slice(2);
const usage = Object.hasOwn(usages, name) ? usages[name] : undefined;

/** Commands with an entry module of their own. All others are in that of the build. */
const gatewayCommands = ['keys', 'accounts', 'backup', 'doctor'];

/**
 * An object of `process.nextTick`, of which each request takes eight. If none is alive while V8 collects garbage, V8
 * forgets their shape, and from then on each takes ten times as long.
 */
const kept = new Set();
process.nextTick(() => kept.add(executionAsyncResource()));

// A reader that has seen enough (`| head`) ends the command.
process.stdout.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
  if (error.code === 'EPIPE') process.exit();
  process.stderr.write(`The output cannot be written: ${error.message}\n`);
  process.exit(2);
});

if (name === '--help' || name === '-h') process.stdout.write(overview());
else if (name === '--version') process.stdout.write(`${await version()}\n`);
else if (usage === undefined) {
  process.stderr.write(`${await mistake()}\n\n${overview()}`);
  process.exitCode = 2;
} else if (args.includes('--help') || args.includes('-h')) process.stdout.write(usage);
else {
  const status = await run(usage);
  // A gateway that could not write its last counts has set another one.
  process.exitCode ||= status;
}

/** The commands, each with the first sentence of its description. */
function overview() {
  const lines = Object.entries(usages).map(([command, text]) => {
    const [sentence] = text.split('\n\n')[1]?.split(/\.\s|:\s|\.$/) ?? [];
    return `  ${command.padEnd(10)} ${sentence}\n`;
  });
  return `Usage: pastpaper COMMAND [options]

${lines.join('')}
npx pastpaper COMMAND --help describes a command, npx pastpaper --version prints the version.
`;
}

async function version() {
  const { readFileSync } = await import('node:fs');
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
}

async function mistake() {
  if (name === '') return 'Missing command.';
  const { didYouMean } = await import('./command-line/nearest.js');
  return name.startsWith('-')
    ? `Unknown option "${name}".${didYouMean(name, ['--help', '--version'])}`
    : `Unknown command "${name}".${didYouMean(name, Object.keys(usages))}`;
}

/** @param {string} usage */
async function run(usage) {
  const { compiledProgram } = await import('./compile.js');
  const folder = await compiledProgram().then(
    (program) => program.folder,
    (error) => {
      // A source that cannot be compiled is a defect.
      if (error.syscall === undefined) throw error;
      process.stderr.write(`The program could not be compiled: ${error.message}\n`);
    },
  );
  if (folder === undefined) return 2;
  // Node 22.8 and later.
  /** @type {{ enableCompileCache?: (folder: string) => unknown }} */ (module).enableCompileCache?.(
    join(folder, 'v8'),
  );
  /** @param {string} part of the compiled program */
  const load = (part) => import(pathToFileURL(join(folder, `${part}.js`)).href);
  const problems = await (await load('check-config')).checkConfig();
  if (problems !== undefined) {
    process.stderr.write(problems);
    return 2;
  }
  /** @param {'gateway' | 'auth'} command */
  const serve = async (command) =>
    (await load('gateway')).main(command, command === name ? args : [], { usage });
  if (name === 'gateway' || name === 'auth') return serve(name);
  if (gatewayCommands.includes(name)) return (await load(name)).main(args, usage);
  if (name !== 'dev') return (await load('build')).main([name, ...args]);
  // A page that is being written is served on another port.
  process.env['CORS_ORIGINS'] ??= 'loopback';
  // The gateway is loaded while the build waits for the disk and for compression.
  load('gateway').catch(() => {});
  return (await load('build')).main([name, ...args], process, () => serve('gateway'));
}
