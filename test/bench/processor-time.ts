import { readdirSync, readFileSync } from 'node:fs';

/** Processor time in microseconds. */
export interface ProcessorTime {
  readonly user: number;
  readonly kernel: number;
  /** Of children that have ended. */
  readonly ofChildren: number;
}

/** The kernel counts in hundredths of a second. */
const tick = 10_000;

/** The processor time of a process, in all its threads. */
export function processorTime(pid: number | 'self' | undefined): ProcessorTime {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  // proc(5): utime, stime, cutime and cstime.
  const [user = 0, kernel = 0, ofUser = 0, ofKernel = 0] = fields
    .slice(11, 15)
    .map((field) => Number(field) * tick);
  return { user, kernel, ofChildren: ofUser + ofKernel };
}

/** The processor time of the running threads of a process in microseconds. It is not rounded to ticks. */
export function exactTime(pid: number | 'self' | undefined): number {
  const times = readdirSync(`/proc/${pid}/task`).map((thread) => {
    const [nanoseconds] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
    return Number(nanoseconds) / 1000;
  });
  return times.reduce((sum, each) => sum + each, 0);
}

/** The time in which the cores of this machine were busy, or used by other machines on the same host, in microseconds. */
export function machineTime(): number {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
  // proc(5): user, nice, system, idle, iowait, irq, softirq, steal.
  const ticks = line.trim().split(/\s+/).slice(1, 9).map(Number);
  ticks.splice(3, 2);
  return ticks.reduce((sum, each) => sum + each, 0) * tick;
}
