/** Mutations of content, as by a person, a program with another encoding, or a failing disk. */
import { harmlessSvgs, hostileSvgs } from '../../../build/hostile-svg.ts';
import { avif, gif, jpeg, png, svg, webp } from '../../../build/image-bytes.ts';
import type { Pick } from '../arbitraries.ts';
import odd from './odd-values.json' with { type: 'json' };

/** The files of a content folder: bytes by path. */
export type Bank = ReadonlyMap<string, Buffer>;

type Files = Map<string, Buffer>;
type Place = { readonly holder: Record<string | number, unknown>; readonly name: string | number };

/** Returns the bank with a few mutations of values, texts, bytes, images and names. */
export function mutateBank(pick: Pick, bank: Bank): Bank {
  const files = new Map(bank);
  const kinds = [editValue, editValue, editValue, editValue, editBytes, editFiles, editImage];
  for (let left = pick([1, 1, 1, 2, 4]); left > 0 && files.size > 0; left -= 1)
    pick(kinds)(pick, files);
  return files;
}

/** Any of the files, or undefined if no name matches. */
function anyFile(pick: Pick, files: Files, names: RegExp): string | undefined {
  const found = [...files.keys()].filter((path) => names.test(path));
  return found.length > 0 ? pick(found) : undefined;
}

/** The places of all values in a value. */
function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Place['holder'];
  const names = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return names.flatMap((name) => [{ holder, name }, ...placesIn(holder[name])]);
}

/** Changes, removes, renames, repeats or moves one value of a JSON file. */
function editValue(pick: Pick, files: Files): void {
  const path = anyFile(pick, files, pick([/\.json$/, /\/.*\/.*\.json$/]));
  const value = path && parsed(files.get(path));
  const places = placesIn(value);
  if (!path || places.length === 0) return;
  const { holder, name } = pick(places);
  const old = holder[name];
  const other = pick(places);
  // Also under names such as `__proto__`.
  const set = (key: string | number, content: unknown) =>
    Object.defineProperty(holder, key, {
      value: content,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  const remove = () =>
    void (Array.isArray(holder) ? holder.splice(Number(name), 1) : delete holder[name]);
  const change = pick<() => void>([
    remove,
    () => set(name, pick<unknown>(odd.values)),
    () => set(name, structuredClone(other.holder[other.name])),
    ...[0, 1, 2, 3].map(() => () => typeof old === 'string' && set(name, changedText(pick, old))),
    () => Array.isArray(old) && old.reverse(),
    () => Array.isArray(holder) && holder.splice(Number(name), 0, structuredClone(old)),
    () => !Array.isArray(holder) && set(pick([...odd.names, `${name}s`]), old),
  ]);
  change();
  files.set(path, Buffer.from(`${JSON.stringify(value, undefined, pick([2, 2, 0, '\t']))}\n`));
}

function parsed(bytes: Buffer | undefined): unknown {
  try {
    return JSON.parse(`${bytes}`);
  } catch {
    return undefined;
  }
}

/** Inserts text that is valid or nearly so, or removes some. */
function changedText(pick: Pick, text: string): string {
  const at = pick([...Array(text.length + 1).keys()]);
  return pick([
    text.slice(0, at) + pick(odd.pieces) + text.slice(at),
    `${text} ${pick(odd.pieces)}`,
    text.slice(0, at) + text.slice(at + pick([1, 5])),
    text.normalize('NFD'),
    `${text}${pick([' ', '\n', text])}`,
    text.repeat(100),
  ]);
}

/** Changes the bytes of a JSON file. */
function editBytes(pick: Pick, files: Files): void {
  const path = anyFile(pick, files, /\.json$/);
  const bytes = path && files.get(path);
  if (!path || !bytes) return;
  const at = pick([...Array(bytes.length + 1).keys()]);
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
  const flipped = Buffer.from([(bytes[at] ?? 0) ^ (1 << pick([0, 1, 2, 3, 4, 5, 6, 7]))]);
  const changed = pick<() => Buffer>([
    () => Buffer.concat([before, flipped, after.subarray(1)]),
    () => Buffer.concat([before, Buffer.from(pick(odd.bytes), 'latin1'), after]),
    () => Buffer.concat([before, after.subarray(pick([1, 5, 19]))]),
    () => pick([before, after, Buffer.concat([bytes, bytes]), Buffer.alloc(pick([0, 100]))]),
    () => Buffer.from(`\ufeff${bytes}`, pick(['utf8', 'utf16le'])),
    () => Buffer.from(bytes.toString('latin1'), 'utf8'),
    () => Buffer.from(bytes.toString().replaceAll('\n', pick(['\r\n', '\u2028', '']))),
    // A duplicate key, also with an escape.
    () => Buffer.from(bytes.toString().replace(/"id":/, '"\\u0069d": "x", "id":')),
  ]);
  files.set(path, changed());
}

/** Replaces an image, or adds one. */
function editImage(pick: Pick, files: Files): void {
  const path = anyFile(pick, files, /\/diagrams\//) ?? `neet/diagrams/${pick(odd.fileNames)}`;
  const [width, height] = [pick([1, 100, 8193]), pick([0, 1, 100])];
  const image = pick<() => Buffer>([
    ...[0, 1, 2].map(() => () => Buffer.from(pick([...hostileSvgs, ...harmlessSvgs])[1])),
    () => pick([gif, avif, svg])(width, height),
    () => png(Math.min(width, 2000), height),
    () => jpeg(Math.min(width, 2000), height, pick([0xc0, 0xc2])),
    () => webp(width, Math.max(1, height)),
    () => Buffer.alloc(pick([0, 12, 3 * 1024 * 1024])),
  ])();
  files.set(path, image.subarray(0, pick([undefined, undefined, 8, image.length - 1])));
}

/** Removes, renames and copies files, and renames or copies the folder of an exam, a year or a shift. */
function editFiles(pick: Pick, files: Files): void {
  const path = pick([...files.keys()]);
  const folders = path.split('/').slice(0, -1);
  const depth = pick([...folders.keys(), folders.length]);
  const above = folders.slice(0, depth).map((name) => `${name}/`);
  const from = depth === folders.length ? path : `${above.join('')}${folders[depth]}/`;
  const name = pick(depth === folders.length ? odd.fileNames : odd.folderNames);
  const to = `${above.join('')}${name}${depth === folders.length ? '' : '/'}`;
  const isKept = pick([true, false]);
  for (const [each, bytes] of [...files].filter(([one]) => one.startsWith(from))) {
    if (!isKept) files.delete(each);
    if (pick([true, true, true, false])) files.set(to + each.slice(from.length), bytes);
  }
}
