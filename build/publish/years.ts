/** The year indexes of a release, and the public index of the questions of each year. */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import type { CompiledExam, CompiledYear } from '../compile/exams.ts';
import { jsonType, type Output } from '../compile/response.ts';
import { groupBy } from '../content/groups.ts';
import { readObject, writeObject } from '../release/objects.ts';
import { type Release, readYearIndex } from '../release/read.ts';
import type { IndexedQuestion, QuestionIndex } from '../release/resources.ts';
import type { PublicResource, ShiftFiles, StoredObject, YearIndex } from '../release/root.ts';

/** What the indexes of years are made of. */
export interface YearParts {
  readonly distDir: string;
  /**
   * The files of shifts that were processed, and the work file with their entries of the question index, by
   * `<exam>/<year>/<shift>`. All other shifts are in the last release.
   */
  readonly processed: ReadonlyMap<string, { readonly files: ShiftFiles; readonly entries: string }>;
  readonly last: Release | undefined;
}

export interface StoredYears {
  readonly years: Readonly<Record<string, Readonly<Record<string, StoredObject>>>>;
  /** The question indexes of years that have changed. */
  readonly outputs: readonly Output[];
  /** Those of the other years, as the last release has them. */
  readonly unchanged: Readonly<Record<string, PublicResource>>;
}

/**
 * Stores the index of each year. A year without a processed shift, whose list of shifts is the same, is as in the last
 * release: its index is not read.
 *
 * @param lists the public responses of exams and years
 */
export async function storeYears(
  exams: readonly CompiledExam[],
  lists: readonly Output[],
  parts: YearParts,
): Promise<StoredYears> {
  const { distDir, processed, last } = parts;
  const bodies = new Map(lists.map(({ path, body }) => [path, body]));
  const changed = new Set(
    Array.from(processed.keys(), (shift) => shift.slice(0, shift.lastIndexOf('/'))),
  );
  const years: Record<string, Record<string, StoredObject>> = {};
  const outputs: Output[] = [];
  const unchanged: Record<string, PublicResource> = {};
  for (const { resource, years: ofExam } of exams) {
    const { exam } = resource;
    const stored: Record<string, StoredObject> = {};
    years[exam] = stored;
    for (const compiled of ofExam) {
      const { year } = compiled.resource;
      const path = `${exam}/${year}`;
      const before = last?.root.years[exam]?.[year];
      const questions = last?.root.public[`${path}/questions.json`];
      const list = hash('sha256', bodies.get(path) ?? '');
      const isSame = !changed.has(path) && last?.root.public[path]?.identity.sha256 === list;
      if (isSame && before && questions) {
        stored[year] = before;
        unchanged[`${path}/questions.json`] = questions;
        continue;
      }
      const isWhole = compiled.shifts.every(({ shift }) => processed.has(`${path}/${shift}`));
      const known = isWhole ? undefined : before;
      const index = await yearIndex(compiled, bodies.get(path), parts, known);
      stored[year] = writeObject(distDir, Buffer.from(JSON.stringify(index)));
      outputs.push(await questionIndex(compiled, parts, isWhole ? undefined : questions));
    }
  }
  return { years, outputs, unchanged };
}

/** @param before the index in the last release, if shifts are taken from there */
async function yearIndex(
  { resource: { exam, year }, aliases, shifts }: CompiledYear,
  list: Buffer = Buffer.alloc(0),
  { distDir, processed, last }: YearParts,
  before: StoredObject | undefined,
): Promise<YearIndex> {
  const known = before && (await last?.readYear(before));
  const files = shifts.map(({ shift }) => {
    const ofShift = processed.get(`${exam}/${year}/${shift}`)?.files ?? known?.shifts[shift];
    if (!ofShift) throw new Error(`${exam}/${year}/${shift} is not in the last release.`);
    return [shift, ofShift] as const;
  });
  return {
    exam,
    year: String(year),
    aliases: Object.fromEntries(aliases),
    list: { mediaType: jsonType, identity: writeObject(distDir, list), crc32: crc32(list) },
    shifts: Object.fromEntries(files),
  };
}

/** @param before the index of questions in the last release, if shifts are taken from there */
async function questionIndex(
  { resource: { exam, year }, shifts }: CompiledYear,
  { distDir, processed }: YearParts,
  before: PublicResource | undefined,
): Promise<Output> {
  const text = before && (await readObject(distDir, before.identity));
  const last: QuestionIndex | undefined = text && JSON.parse(text.toString());
  const known = groupBy(last?.questions ?? [], ({ shift }) => shift);
  const questions = shifts.flatMap(({ shift, papers }) => {
    const found = processed.get(`${exam}/${year}/${shift}`);
    const ofShift: readonly IndexedQuestion[] = found
      ? JSON.parse(readFileSync(found.entries, 'utf8'))
      : (known.get(shift) ?? []);
    return papers.flatMap(({ subject }) => ofShift.filter((one) => one.subject === subject));
  });
  const path = `${exam}/${year}/questions.json`;
  const index: QuestionIndex = { exam, year, total: questions.length, questions };
  // Its fields are those of questions that were validated.
  return { path, file: path, mediaType: jsonType, body: Buffer.from(JSON.stringify(index)) };
}

/** Returns a function that reads protected responses. @param years the year indexes, which are stored */
export function responseReader(distDir: string, years: StoredYears['years']) {
  return async (path: string) => {
    const [exam = '', year = '', shift = '', ...file] = path.split('/');
    const index = years[exam]?.[year];
    const ofYear = index && (await readYearIndex(distDir, index));
    const found = ofYear?.shifts[shift]?.[file.join('/')];
    if (!found) throw new Error(`${path} is not in the bank.`);
    return { mediaType: found.mediaType, body: await readObject(distDir, found.identity) };
  };
}
