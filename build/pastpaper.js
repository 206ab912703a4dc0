#!/usr/bin/env node
// @ts-check
/**
 * The command line: `node build/pastpaper.js COMMAND ...`, which the npm scripts call. Plain JavaScript, so that help
 * takes no longer than Node needs to start; commands run from the compiled program.
 */
import module from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildUsage, gatewayUsage } from './usage.js';

/** @type {Readonly<Record<string, string>>} */
const usages = {
  start: `Usage: npm start

Builds the content, then serves it with everything embedded.
`,
  ...buildUsage,
  ...gatewayUsage,
};

const [name = '', ...args] = process.argv.slice(2);
const usage = Object.hasOwn(usages, name) ? usages[name] : undefined;

// A reader that has seen enough (`| head`) ends the command.
process.stdout.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
  if (error.code === 'EPIPE') process.exit();
  process.stderr.write(`The output cannot be written: ${error.message}\n`);
  process.exit(2);
});

if (usage === undefined) {
  const isHelp = name === '--help' || name === '-h';
  const text = `Usage: node build/pastpaper.js COMMAND [options]\n\nCommands: ${Object.keys(usages).join(', ')}.\n`;
  if (isHelp) process.stdout.write(text);
  else
    process.stderr.write(`${name === '' ? 'No command is given.' : `Unknown command "${name}".`}\n\n${text}`);
  process.exitCode = isHelp ? 0 : 2;
} else if (args.includes('--help') || args.includes('-h')) {
  process.stdout.write(usage);
} else {
  process.exitCode = await run();
}

async function run() {
  const { compiledProgram, programCache } = await import('./program.js');
  // Node 22.8 and later.
  /** @type {{ enableCompileCache?: (folder: string) => unknown }} */ (module).enableCompileCache?.(
    join(programCache, 'v8'),
  );
  const { folder } = await compiledProgram();
  /** @param {string} part of the compiled program */
  const load = (part) => import(pathToFileURL(join(folder, `${part}.js`)).href);
  if (name in buildUsage) return (await load('build')).main([name, ...args]);
  const files = {
    releaseReader: join(folder, 'release-reader.js'),
    worker: join(folder, 'gateway-worker.js'),
  };
  /** @param {'gateway' | 'auth'} command */
  const serve = async (command) =>
    (await load('gateway')).main(command, args, { usage: usages[command], ...files });
  if (name === 'gateway' || name === 'auth') return serve(name);
  if (name !== 'start') return (await load(name)).main(args, usage);
  if (args.length > 0) {
    process.stderr.write(`start takes no "${args[0]}".\n\n${usage}`);
    return 2;
  }
  // The gateway is loaded while the build waits for the disk and for compression.
  const gateway = load('gateway');
  gateway.catch(() => {});
  const status = await (await load('build')).main(['build']);
  return status === 0 ? serve('gateway') : status;
}
