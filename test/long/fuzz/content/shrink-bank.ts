import { shrink } from '../shrink.ts';
import type { Bank } from './bank.ts';
import { placesIn } from './mutations/values.ts';

/** The most smaller banks to try. */
const maxAttempts = 300;

/**
 * Removes parts of a bank as long as it still fails.
 *
 * @param fails whether a bank fails in the same way
 */
export function shrinkBank(bank: Bank, fails: (bank: Bank) => Promise<boolean>): Promise<Bank> {
  return shrink(bank, smallerBanks, fails, maxAttempts);
}

/** The bank with parts removed, the largest parts first. */
function* smallerBanks(bank: Bank): Generator<Bank> {
  for (const path of bank.keys()) yield new Map([...bank].filter(([other]) => other !== path));
  for (const [path, bytes] of bank)
    for (const smaller of smallerFiles(bytes)) yield new Map(bank).set(path, smaller);
}

function* smallerFiles(bytes: Buffer): Generator<Buffer> {
  const value = parsed(bytes);
  if (value === undefined) {
    for (let size = Math.ceil(bytes.length / 2); size >= 1; size = Math.floor(size / 2))
      for (let at = 0; at < bytes.length; at += size)
        yield Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + size)]);
    return;
  }
  // The largest values first.
  const places = placesIn(value)
    .map((_, index) => ({ index, size: sizeAt(value, index) }))
    .sort((one, other) => other.size - one.size);
  for (const { index } of places) {
    for (const change of [remove, halve]) {
      const copy = structuredClone(value);
      const place = placesIn(copy)[index];
      if (place && change(place)) yield Buffer.from(JSON.stringify(copy, undefined, 2));
    }
  }
}

type Place = ReturnType<typeof placesIn>[number];

function sizeAt(value: unknown, index: number): number {
  const { holder, name } = placesIn(value)[index] ?? {};
  return JSON.stringify(holder?.[name ?? ''])?.length ?? 0;
}

function remove({ holder, name }: Place): boolean {
  if (Array.isArray(holder)) holder.splice(Number(name), 1);
  else delete holder[name];
  return true;
}

function halve({ holder, name }: Place): boolean {
  const value = holder[name];
  if (typeof value !== 'string' || value.length < 2) return false;
  holder[name] = value.slice(0, value.length / 2);
  return true;
}

function parsed(bytes: Buffer): object | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
