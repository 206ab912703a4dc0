import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { compileExams } from '../../build/compile/exams.ts';
import { sampleExam } from './bank-folder.ts';

/** The aliases of a year with these shifts, to their full names. Its list of shifts is in the order of s1, s2, ... */
function aliasesOf(shifts: readonly string[]): ReadonlyMap<string, string> {
  const lastUpdated = '2024-06-01T10:00:00Z';
  const paper = {
    subject: 'physics',
    total: 1,
    checksum: '',
    hasDiagram: false,
    topics: [],
  };
  const compiled = shifts.map((shift) => {
    const year = shift.slice(0, 4);
    return { exam: 'neet', year, shift, papers: [paper], details: {}, lastUpdated };
  });
  const [exam] = compileExams(
    [{ path: 'neet/exam.json', code: 'neet', content: sampleExam }],
    compiled,
  );
  const [year, ...others] = exam?.years ?? [];
  assert.ok(year && others.length === 0);
  const listed = year.resource.shifts.map(({ shift }) => shift);
  assert.deepEqual(
    listed.map((_, index) => year.aliases.get(`s${index + 1}`)),
    listed,
  );
  return year.aliases;
}

/** Unsorted, because the order of folders does not matter. */
const shifts =
  '2024-05-06-s1 2024-05-05-s10 2024-05-05-s2 2024-01-27-s1 2024-05-05-s1 2024-11-03-s1'.split(' ');

describe('Shift resolution', () => {
  /** Full names; ordinals in chronological order; prefixes, with the year and without it from a complete MM-DD on. */
  const spellings: Readonly<Record<string, string>> = {
    '2024-01-27-s1': 's1 2024-01-27-s1 2 2024 2024- 01-27',
    '2024-05-05-s1':
      's2 2024-05-05-s1 05-05-s1 2024-05 2024-05-05 2024-05-05-s 05-05 05-05- 05-05-s',
    '2024-05-05-s2': 's3 2024-05-05-s2 05-05-s2',
    '2024-05-05-s10': 's4 2024-05-05-s10 05-05-s10',
    '2024-05-06-s1': 's5 2024-05-06-s1 05-06-s1 2024-05-06',
    '2024-11-03-s1': 's6 2024-11-03-s1 2024-1',
  };
  const aliases = aliasesOf(shifts);
  for (const [shift, all] of Object.entries(spellings)) {
    it(`finds ${shift} by ${all}`, () => {
      for (const spelling of all.split(' ')) assert.equal(aliases.get(spelling), shift, spelling);
    });
  }

  const nothing = [
    ...'s s0 s7 s01 s-1 S1 1 05 05- 05-0 5-5 05-07 2024-05-07 2023 2024-05-05-s3'.split(' '),
    ...'2024-05-05-s1- 2024-05-05-s11'.split(' '),
    ...'-05-05 5-05-s1 24-05-05 __proto__ constructor 27-01 2024/05/05 2024-05-05-S1'.split(' '),
    ...['', ' s1'],
  ];
  it('finds no shift for other spellings', () => {
    for (const spelling of nothing) assert.equal(aliases.get(spelling), undefined, spelling);
  });
});

/** A day of the year as MM-DD. There are few, so that shifts often share days and months. */
const day = fc.constantFrom('01-01', '01-10', '01-11', '05-05', '05-06', '10-01', '11-30', '12-31');
const number = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 9999 }));
const yearOfShifts = fc
  .tuple(
    fc.constantFrom('2024', '2020', '1005', '1101', '1212'),
    fc.uniqueArray(fc.tuple(day, number), {
      minLength: 1,
      maxLength: 14,
      selector: ([monthAndDay, each]) => `${monthAndDay}-s${each}`,
    }),
  )
  .map(([year, names]) => names.map(([monthAndDay, each]) => `${year}-${monthAndDay}-s${each}`));

/** Reference implementation of the documented precedence, which searches all shifts. */
function resolveBySearch(names: readonly string[], spelling: string): string | undefined {
  const inOrder = [...names].sort(
    (a, b) =>
      Date.parse(a.slice(0, 10)) - Date.parse(b.slice(0, 10)) ||
      Number(a.slice(12)) - Number(b.slice(12)),
  );
  if (inOrder.includes(spelling)) return spelling;
  const ordinal = /^s([1-9]\d*)$/.exec(spelling);
  if (ordinal) return inOrder[Number(ordinal[1]) - 1];
  if (spelling === '') return undefined;
  const startsWithDay = /^\d\d-\d\d/.test(spelling);
  return inOrder.find(
    (name) =>
      name.startsWith(spelling) ||
      (startsWithDay && name.slice('YYYY-'.length).startsWith(spelling)),
  );
}

describe('The aliases of any shifts of a year', () => {
  it('resolve with the documented precedence, and include every prefix of every name, and every ordinal', () => {
    fc.assert(
      fc.property(yearOfShifts, (names) => {
        const aliases = aliasesOf(names);
        const prefixes = names.flatMap((name) =>
          Array.from(name, (_, index) => name.slice(0, index + 1)),
        );
        const withoutYear = prefixes.filter((prefix) => prefix.length >= 'YYYY-MM-DD'.length);
        const ordinals = names.map((_, index) => `s${index + 1}`);
        const included = [
          ...prefixes,
          ...withoutYear.map((prefix) => prefix.slice('YYYY-'.length)),
          ...ordinals,
        ];
        for (const spelling of [...aliases.keys(), ...included])
          assert.equal(aliases.get(spelling), resolveBySearch(names, spelling) ?? 'none', spelling);
      }),
    );
  });
});
