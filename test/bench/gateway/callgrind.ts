/** Counts the instructions of a Node process by function, with callgrind of valgrind. */
import type { ChildProcess } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sum } from '../figures.ts';
import { runPinned, stop } from '../processes.ts';

/** The instructions of a function, or of the part of one that is inlined into others. */
export interface FunctionCost {
  /** As in a JavaScript source; for machine code, the symbol. */
  readonly name: string;
  /** The source file or `node:` module of JavaScript; of other code, the binary. */
  readonly file: string;
  readonly kind: 'JavaScript' | 'builtin' | 'native';
  instructions: number;
}

/**
 * What is counted: callbacks for bytes on a connection, with the microtasks after them; immediates; and files that were
 * read. Timers and work on other threads take a share of time, not of requests, and callgrind slows down requests alone.
 */
const requestCallbacks = [
  'uv__stream_io',
  'node::Environment::CheckImmediate(uv_check_s*)',
  'uv__fs_done',
];

/**
 * The command that runs Node under callgrind, which counts no instructions before `profile` is called. What V8 does on
 * threads of its own it does on the main thread instead: how far it got would depend on the load of the machine.
 *
 * @param folder for the profile, and for the addresses of the machine code that V8 generates
 */
export function underCallgrind(folder: string): readonly string[] {
  const options = [
    '--instr-atstart=no',
    '--smc-check=all-non-file',
    '--dump-instr=yes',
    '--dump-line=no',
    '--compress-pos=no',
    '--compress-strings=no',
    ...requestCallbacks.map((symbol) => `--toggle-collect=${symbol}`),
    `--callgrind-out-file=${join(folder, 'profile')}`,
  ];
  // V8 writes the last addresses when the process exits, not when a signal ends it.
  const exit = 'data:text/javascript,process.once("SIGTERM",()=>process.exit())';
  const node = [process.execPath, '--single-threaded', '--perf-prof', '--import', exit];
  return ['env', '-C', folder, 'valgrind', '-q', '--tool=callgrind', ...options, ...node];
}

/**
 * Counts the instructions of a process that `underCallgrind` started, and stops the process.
 *
 * @param send sends a number of requests
 */
export async function profile(
  { process: child, folder }: { readonly process: ChildProcess; readonly folder: string },
  requests: number,
  send: (count: number) => Promise<void>,
): Promise<readonly FunctionCost[]> {
  const control = (...words: readonly string[]) =>
    runPinned(['vgdb', `--pid=${child.pid}`, ...words]);
  const generated = join(folder, `jit-${child.pid}.dump`);
  await warmUp(generated, send);
  await control('instrumentation', 'on');
  // Callgrind translates the code when it runs first. Slower responses make V8 compile some of it again.
  let lines: readonly string[] = [];
  for (let [part, compiled] = [1, 1]; part <= maxParts && compiled > 0.005; part += 1) {
    await control('zero');
    await send(requests);
    await control('dump', 'measured');
    lines = (await readFile(join(folder, `profile.${part}`), 'latin1')).split('\n');
    const functions = readProfile(lines, () => ({ name: '', file: '', kind: 'builtin' }));
    compiled = total(functions.filter(({ name }) => compiler.test(name))) / total(functions);
  }
  await stop(child);
  return readProfile(lines, await attributor(readGenerated(await readFile(generated))));
}

function total(functions: readonly FunctionCost[]): number {
  return sum(functions.map(({ instructions }) => instructions));
}

/** Symbols of V8's compilers. */
export const compiler =
  /v8::internal::(compiler|maglev|baseline|interpreter|Parser\w*|PreParser|Scanner|Compiler|Assembler|MacroAssembler|PerfJitLogger|Zone)\b/;

/** How often the requests are sent until V8 has compiled nothing meanwhile. */
const maxParts = 12;

/** Sends requests until V8 compiles nothing any more. */
async function warmUp(generated: string, send: (count: number) => Promise<void>): Promise<void> {
  for (let [size, round, unchanged] = [0, 0, 0]; round < 25 && unchanged < 2; round += 1) {
    await send(4000);
    const { size: now } = await stat(generated);
    unchanged = now === size ? unchanged + 1 : 0;
    size = now;
  }
}

/** Machine code that V8 generated. */
interface Generated {
  readonly start: number;
  readonly end: number;
  /** `JS:*handle file:///folder/module.js:12:3`, `Builtin:LoadIC` and the like. */
  readonly name: string;
  /** Where the code from an address on comes from, inlined functions included. */
  readonly positions: readonly Position[];
}

interface Position {
  readonly address: number;
  readonly file: string;
  readonly line: number;
}

/** V8 adds the size of a header of ELF to the addresses of positions, for `perf inject`. */
const positionOffset = 0x40;

/** Reads the file of `--perf-prof` (tools/perf/Documentation/jitdump-specification.txt of Linux). */
function readGenerated(dump: Buffer): Generated[] {
  const codes: Generated[] = [];
  const number = (at: number) => Number(dump.readBigUInt64LE(at));
  let positions: Position[] = [];
  // The last record may be incomplete.
  for (let at = dump.readUInt32LE(8), size = 0; at + 16 < dump.length; at += size) {
    size = dump.readUInt32LE(at + 4);
    if (size === 0 || at + size > dump.length) break;
    const record = dump.readUInt32LE(at);
    if (record === 2) {
      let next = at + 32;
      for (let count = number(at + 24); count > 0; count -= 1) {
        const end = dump.indexOf(0, next + 16);
        const file = dump.toString('utf8', next + 16, end);
        positions.push({
          address: number(next) - positionOffset,
          file,
          line: dump.readUInt32LE(next + 8),
        });
        next = end + 1;
      }
    } else if (record === 0) {
      const start = number(at + 32);
      const name = dump.toString('utf8', at + 56, dump.indexOf(0, at + 56));
      codes.push({ start, end: start + number(at + 40), name, positions });
      positions = [];
    }
  }
  return codes;
}

type Attributed = Omit<FunctionCost, 'instructions'>;

const scriptName = /^\w+:[*^+~'"]*(\S*) (.+):(\d+):\d+$/;

/** Returns a function that finds what an address outside of all binaries belongs to. */
async function attributor(codes: readonly Generated[]): Promise<(address: number) => Attributed> {
  const functions = compiledFunctions(codes);
  const texts = new Map<string, readonly string[]>();
  for (const file of functions.keys())
    if (file.startsWith('file:'))
      texts.set(file, (await readFile(fileURLToPath(file), 'utf8')).split('\n'));
  const found = new Map<string, Attributed>();
  return (address) => {
    // V8 reuses the memory of code that it no longer needs.
    const code = codes.findLast(({ start, end }) => start <= address && address < end);
    if (!code) return { name: 'unknown generated code', file: '', kind: 'native' };
    const script = scriptName.exec(code.name);
    if (!script) return { name: code.name.replace(/^\w+:/, ''), file: '', kind: 'builtin' };
    const start = { file: script[2] ?? '', line: Number(script[3]) };
    const { file, line } = code.positions.findLast((each) => each.address <= address) ?? start;
    const known = found.get(`${file}:${line}`);
    if (known) return known;
    const name = functions.get(file)?.findLast((each) => each.line <= line)?.name ?? '(anonymous)';
    // esbuild writes the path of each module above its code.
    const header =
      texts.get(file)?.findLast((text, index) => index < line && modulePath.test(text)) ?? '';
    const module = modulePath.exec(header)?.[1] ?? file;
    const attributed: Attributed = { name, file: module, kind: 'JavaScript' };
    found.set(`${file}:${line}`, attributed);
    return attributed;
  };
}

const modulePath = /^ *\/\/ (\S+\/\S+\.[cm]?[jt]s)$/;

/** The functions that were ever compiled, by file, in the order of their lines. */
function compiledFunctions(codes: readonly Generated[]) {
  const functions = new Map<string, { readonly name: string; readonly line: number }[]>();
  for (const code of codes) {
    const [, name = '', file = '', line] = scriptName.exec(code.name) ?? [];
    if (file === '') continue;
    const others = functions.get(file) ?? [];
    others.push({ name: name || '(anonymous)', line: Number(line) });
    functions.set(file, others);
  }
  for (const all of functions.values()) all.sort((one, other) => one.line - other.line);
  return functions;
}

/** Reads a profile of callgrind (https://valgrind.org/docs/manual/cl-format.html), without the costs of callees. */
function readProfile(
  lines: readonly string[],
  attribute: (address: number) => Attributed,
): readonly FunctionCost[] {
  const functions = new Map<string, FunctionCost>();
  let [binary, symbol, isCall] = ['', '', false];
  for (const line of lines) {
    if (line.startsWith('ob=')) binary = line.slice(3);
    // A recursive call has a number of its own.
    else if (line.startsWith('fn=')) symbol = line.slice(3).replace(/'\d+$/, '');
    else if (line.startsWith('calls=')) isCall = true;
    else if (line.startsWith('0x')) {
      // What a call costs is that of other functions.
      if (!isCall) add(line);
      isCall = false;
    }
  }
  return [...functions.values()];

  function add(line: string): void {
    const [address = '', count = '0'] = line.split(' ');
    const kind: FunctionCost['kind'] = symbol.startsWith('Builtins_') ? 'builtin' : 'native';
    const from =
      binary === '???' ? attribute(Number(address)) : { name: symbol, file: binary, kind };
    const key = `${from.name} ${from.file}`;
    const found = functions.get(key);
    if (found) found.instructions += Number(count);
    else functions.set(key, { ...from, instructions: Number(count) });
  }
}
