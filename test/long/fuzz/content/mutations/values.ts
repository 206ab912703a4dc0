import type { Draw } from '../../draw.ts';
import { questionFields } from '../model/content.ts';
import pieces from './pieces.json' with { type: 'json' };

const names = [...questionFields, ...pieces.values.names];
const anyValues: readonly Json[] = [
  ...pieces.values.anyValues,
  -0,
  '9'.repeat(400),
  `0.${'1'.repeat(400)}`,
  'x'.repeat(100_000),
];

type Json = unknown;
type Place = { readonly holder: Record<string | number, Json>; readonly name: string | number };

/** The location of every nested value. */
export function placesIn(value: Json): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const names = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return names.flatMap((name): Place[] => {
    const holder = value as Place['holder'];
    return [{ holder, name }, ...placesIn(holder[name])];
  });
}

/** Changes, renames or moves one value of a JSON file. */
export function mutateValue(draw: Draw, value: Json): Json {
  const changed = structuredClone(value);
  const places = placesIn(changed);
  if (places.length === 0) return draw.pick(anyValues);
  const { holder, name } = draw.pick(places);
  const old = holder[name];
  const change = draw.weighted<() => void>([
    [4, () => set(holder, name, draw.pick(anyValues))],
    [3, () => remove(holder, name)],
    [3, () => set(holder, name, structuredClone(valueAt(draw.pick(places))))],
    [2, () => rename(holder, name, draw.pick(names))],
    [2, () => rename(holder, name, `${name}s`)],
    [2, () => set(holder, draw.pick(names), old)],
    [2, () => Array.isArray(old) && old.reverse()],
    [2, () => Array.isArray(holder) && holder.splice(Number(name), 0, structuredClone(old))],
    [1, () => set(holder, name, [old])],
    [1, () => set(holder, name, typeof old === 'object' ? JSON.stringify(old) : String(old))],
    [1, () => set(holder, name, nested(draw.between(1, 300)))],
    [4, () => typeof old === 'string' && set(holder, name, mutateWord(draw, old))],
  ]);
  change();
  return changed;
}

function valueAt({ holder, name }: Place): Json {
  return holder[name];
}

/** Sets a value, also under names such as `__proto__`; appends it to an array if the name is not an index. */
function set(holder: Place['holder'], name: string | number, value: Json): void {
  if (Array.isArray(holder) && typeof name === 'string') holder.push(value);
  else Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true });
}

function remove(holder: Place['holder'], name: string | number): void {
  if (Array.isArray(holder)) holder.splice(Number(name), 1);
  else delete holder[name];
}

function rename(holder: Place['holder'], name: string | number, other: string): void {
  if (Array.isArray(holder)) return;
  const value = holder[name];
  delete holder[name];
  set(holder, other, value);
}

function nested(depth: number): Json {
  let value: Json = 'x';
  for (let level = 0; level < depth; level += 1) value = level % 2 ? [value] : { x: value };
  return value;
}

function mutateWord(draw: Draw, word: string): string {
  return draw.pick<() => string>([
    () => word.toUpperCase(),
    () => word.toLowerCase(),
    () => `${word} `,
    () => ` ${word}`,
    () => `${word}\n`,
    () => word.slice(0, -1),
    () => word + word,
    () => word.normalize('NFD'),
    () => `${word}\u200b`,
    () => word.split('').reverse().join(''),
  ])();
}
