import type { Draw } from '../../draw.ts';
import { questionFields } from '../model/content.ts';

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

// biome-ignore format: a list
const names = [
  ...questionFields,
  'key', 'value', 'file', 'alt', 'passages', 'text', 'code', 'diagram', 'min', 'max', 'correct', 'incorrect',
  'unanswered', 'partial', 'passageChecksum', 'language', 'translations', 'subjectLabels', 'lastUpdated', 'questions',
  'label', 'subjects', '$schema', 'hasDiagram', 'checksum', '__proto__', 'constructor', 'toString', 'toJSON', 'length',
  '', 'x', '0', '\u0000', 'a/b~c', 'id\u200b', 'Id', 'ID',
];

// biome-ignore format: a list
const anyValues: readonly Json[] = [
  null,
  true,
  false,
  0,
  -0,
  1,
  -1,
  1.5,
  1e21,
  1e308,
  5e-324,
  '', ' ', 'x', 'A', 'B', 'Z', 'a', 'A,B', 'A, B', 'B,A', 'A,A', 'A,B,C,D,E', '1', '-1', '0', '-0', '-0.0', '01', '+1',
  '1.', '.5', '1e5', '1,000', '1 000', '0x10', 'NaN', 'Infinity', '\u0661',
  '9'.repeat(400),
  `0.${'1'.repeat(400)}`,
  'mcq',
  'msq',
  'numerical',
  'MCQ',
  'easy',
  'Easy',
  'medium',
  'hard',
  [],
  {},
  [[]],
  [{}],
  ['A'],
  ['A', 'B'],
  ['A', 'A'],
  ['A', 1],
  { key: 'A', value: 'x' },
  [
    { key: 'A', value: 'x' },
    { key: 'B', value: 'y' },
  ],
  [{ file: 'x.png', alt: 'x' }],
  { file: 'q1-a.png' },
  { min: '1', max: '2' },
  { correct: 4, incorrect: -1, partial: 1 },
  [{ id: 'p1', text: 'x' }],
  '2024-06-01', '2024-06-01T10:00:00Z', '2024-02-30T10:00:00Z', '2024-06-01T24:00:00Z', '2024-06-01T23:59:60Z',
  '2024-06-30T23:59:60Z', '2016-12-31T23:59:60Z', '2024-06-01T10:00:00+05:30', '2024-06-01T10:00:00.123456789Z',
  '2024-06-01T10:00:00.1234567890Z', '2024-06-01t10:00:00z', '0000-01-01T00:00:00Z', '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59Z', '1969-12-31T23:59:59Z', '2023-02-29T00:00:00Z', '2024-02-29T00:00:00Z', 'Thu, 01 Jun 2024',
  'physics', 'Physics', 'chemistry', 'biology', 'mathematics', 'diagrams', 'exam', '../physics', 'con',
  ['physics'],
  ['physics', 'physics'],
  [{ code: 'physics', label: 'Physics' }, 'chemistry'],
  [{ code: 'physics', label: 'Physics' }, 'physics', 'chemistry'],
  ['physics', 'chemistry', 'biology', 'mathematics'],
  ['chemistry', 'physics', 'mathematics', 'biology'],
  ['Physics'],
  'q'.repeat(101),
  'x'.repeat(100_000),
];
