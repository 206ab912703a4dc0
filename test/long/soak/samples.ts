import type { ResourceUsage } from '../../gateway/monitored-gateway.ts';

/** A measurement of the gateway. */
export interface Sample extends ResourceUsage {
  readonly requests: number;
  /** Seconds since the load began. */
  readonly at: number;
  readonly releases: number;
  readonly revoked: number;
}

const mebibyte = 1024 * 1024;

const columns: readonly (readonly [name: string, value: (sample: Sample) => string])[] = [
  ['Requests', ({ requests }) => String(requests)],
  ['Seconds', ({ at }) => at.toFixed(0)],
  ['Heap, MiB', ({ heap }) => inMebibytes(heap)],
  ['Buffers, MiB', ({ external }) => inMebibytes(external)],
  ['Resident, MiB', ({ resident }) => inMebibytes(resident)],
  ['Descriptors', ({ descriptors }) => String(descriptors)],
  ['Sockets', ({ resources }) => String(resources['TCPSocketWrap'] ?? 0)],
  ['Releases', ({ releases }) => String(releases)],
  ['Keys revoked', ({ revoked }) => String(revoked)],
];

export const headerLine = columns.map(([name]) => name).join('  ');

/** A row of the table. */
export function lineOf(sample: Sample): string {
  return columns.map(([name, value]) => value(sample).padStart(name.length)).join('  ');
}

/** The allowed growth of a warm gateway: the size of a release and of caches varies. */
const maxGrowth = { heap: 8 * mebibyte, external: 8 * mebibyte, resident: 48 * mebibyte, descriptors: 2 };

/**
 * Compares the medians of the first and the last third of the samples.
 *
 * @returns a sentence for each value that has grown
 */
export function growth(samples: readonly Sample[]): string[] {
  const third = Math.floor(samples.length / 3);
  if (third === 0) return [];
  const [first, last] = [samples.slice(0, third), samples.slice(-third)];
  return (['heap', 'external', 'resident', 'descriptors'] as const).flatMap((what) => {
    const [before, after] = [first, last].map((some) => median(some.map((sample) => sample[what])));
    const grown = (after ?? 0) - (before ?? 0);
    return grown > maxGrowth[what] ? [`${what} has grown by ${grown}, from ${before} to ${after}`] : [];
  });
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

function inMebibytes(bytes: number): string {
  return (bytes / mebibyte).toFixed(1);
}
