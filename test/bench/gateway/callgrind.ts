import type { ChildProcess } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runPinned, stop } from './pinned.ts';

/** The instructions of a function, or of the part of one that is inlined into others. */
export interface FunctionCost {
  /** As in a JavaScript source; for machine code, the symbol. */
  readonly name: string;
  /** The source file or `node:` module of JavaScript; of other code, the binary. */
  readonly file: string;
  readonly kind: 'JavaScript' | 'builtin' | 'native';
  instructions: number;
}

export interface Profile {
  readonly functions: readonly FunctionCost[];
  /** How often each system call was made, by the symbol that makes it. */
  readonly systemCalls: ReadonlyMap<string, number>;
}

/**
 * What is counted: callbacks for bytes on a connection, with the microtasks after them; immediates; and files that were
 * read. Timers and work on other threads take a share of time, not of requests, and callgrind slows down requests alone.
 */
const requestCallbacks = ['uv__stream_io', 'node::Environment::CheckImmediate(uv_check_s*)', 'uv__fs_done'];

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
    '--collect-systime=yes',
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
): Promise<Profile> {
  const control = (...words: readonly string[]) => runPinned(['vgdb', `--pid=${child.pid}`, ...words]);
  const generated = join(folder, `jit-${child.pid}.dump`);
  await warmUp(generated, send);
  await control('instrumentation', 'on');
  // Callgrind translates the code when it runs first. Slower responses make V8 compile some of it again.
  let part = 0;
  for (let compiled = 1; part < maxParts && compiled > 0.005; ) {
    await control('zero');
    await send(requests);
    await control('dump', 'measured');
    part += 1;
    compiled = await compilerShare(join(folder, `profile.${part}`));
  }
  await stop(child);
  const codes = readGenerated(await readFile(generated));
  return readProfile(await linesOf(join(folder, `profile.${part}`)), await attributor(codes));
}

async function compilerShare(file: string): Promise<number> {
  const { functions } = readProfile(await linesOf(file), () => ({ name: '', file: '', kind: 'builtin' }));
  const sum = (costs: readonly FunctionCost[]) =>
    costs.reduce((all, { instructions }) => all + instructions, 0);
  return sum(functions.filter(({ name }) => compiler.test(name))) / sum(functions);
}

async function linesOf(file: string): Promise<string[]> {
  return (await readFile(file, 'latin1')).split('\n');
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

/** Returns a function that finds what an address outside of all binaries belongs to. */
async function attributor(codes: readonly Generated[]): Promise<(address: number) => Attributed> {
  const sources = await Sources.of(codes);
  return (address) => {
    // V8 reuses the memory of code that it no longer needs.
    const code = codes.findLast(({ start, end }) => start <= address && address < end);
    if (!code) return { name: 'unknown generated code', file: '', kind: 'native' };
    const script = scriptName.exec(code.name);
    if (!script) return { name: code.name.replace(/^\w+:/, ''), file: '', kind: 'builtin' };
    const [, , file = '', line] = script;
    const position = code.positions.findLast((each) => each.address <= address);
    return sources.functionAt(position ?? { file, line: Number(line) });
  };
}

const scriptName = /^\w+:[*^+~'"]*(\S*) (.+):(\d+):\d+$/;

/** Finds functions by their positions. */
class Sources {
  /** The functions that were ever compiled, by file, in the order of their lines. */
  readonly #functions = new Map<string, { readonly name: string; readonly line: number }[]>();
  /** The lines of compiled programs. */
  readonly #texts = new Map<string, readonly string[]>();
  readonly #found = new Map<string, Attributed>();

  static async of(codes: readonly Generated[]): Promise<Sources> {
    const sources = new Sources();
    for (const { name } of codes) {
      const [, functionName = '', file = '', line] = scriptName.exec(name) ?? [];
      if (file === '') continue;
      const others = sources.#functions.get(file) ?? [];
      others.push({ name: functionName || '(anonymous)', line: Number(line) });
      sources.#functions.set(file, others);
    }
    for (const [file, functions] of sources.#functions) {
      functions.sort((one, other) => one.line - other.line);
      if (!file.startsWith('file:')) continue;
      sources.#texts.set(file, (await readFile(fileURLToPath(file), 'utf8')).split('\n'));
    }
    return sources;
  }

  functionAt({ file, line }: Omit<Position, 'address'>): Attributed {
    const key = `${file}:${line}`;
    const known = this.#found.get(key);
    if (known) return known;
    const before = this.#functions.get(file)?.findLast((each) => each.line <= line);
    const found = {
      name: before?.name ?? '(anonymous)',
      file: this.#moduleAt(file, line),
      kind: 'JavaScript',
    } as const;
    this.#found.set(key, found);
    return found;
  }

  /** esbuild writes the path of each module above its code. */
  #moduleAt(file: string, line: number): string {
    const lines = this.#texts.get(file) ?? [];
    for (let index = Math.min(line, lines.length) - 1; index >= 0; index -= 1) {
      const [, path] = /^ *\/\/ (\S+\/\S+\.[cm]?[jt]s)$/.exec(lines[index] ?? '') ?? [];
      if (path !== undefined) return path;
    }
    return file;
  }
}

/** System calls that the kernel answers without entering it, except under callgrind. */
const clocks = /clock_gettime|gettimeofday|^time$/;

/** Reads a profile of callgrind (https://valgrind.org/docs/manual/cl-format.html), without the costs of callees. */
function readProfile(lines: readonly string[], attribute: (address: number) => Attributed): Profile {
  const functions = new Map<string, FunctionCost>();
  const [counts, callers] = [new Map<string, number>(), new Set<string>()];
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
  // Callgrind 3.19 does not reset its own count of system calls: the instructions that make them are counted instead.
  const systemCalls = new Map<string, number>();
  for (const place of callers) {
    const name = place.slice(0, place.lastIndexOf(' '));
    systemCalls.set(name, (systemCalls.get(name) ?? 0) + (counts.get(place) ?? 0));
  }
  return { functions: [...functions.values()], systemCalls };

  function add(line: string): void {
    const [address = '', count = '0', calls] = line.split(' ');
    const instructions = Number(count);
    const place = `${symbol} ${address}`;
    counts.set(place, (counts.get(place) ?? 0) + instructions);
    // Elsewhere these are switches between threads.
    if (calls !== undefined && binary.includes('/libc.so') && !clocks.test(symbol)) callers.add(place);
    const kind: FunctionCost['kind'] = symbol.startsWith('Builtins_') ? 'builtin' : 'native';
    const from = binary === '???' ? attribute(Number(address)) : { name: symbol, file: binary, kind };
    const key = `${from.name} ${from.file}`;
    const found = functions.get(key);
    if (found) found.instructions += instructions;
    else functions.set(key, { ...from, instructions });
  }
}
