import { canonicalJson, checksum } from '../../../../build/canonical-json.ts';
import type { Access, StoredRelease } from '../../http/stored-release.ts';
import { type Bank, isPaper } from '../bank.ts';
import { objectOf } from './content.ts';
import { imageProperties } from './image.ts';

type Json = Readonly<Record<string, unknown>>;

interface Paper {
  readonly path: string;
  readonly exam: string;
  readonly year: number;
  readonly shift: string;
  readonly subject: string;
  readonly lastUpdated: string;
  readonly questions: readonly Json[];
}

type Expected = Readonly<Record<Access, Map<string, Buffer>>>;

/**
 * Compares a release of valid content with the design (Resources) and section 2 of the specification.
 *
 * @returns a message for each difference
 */
export function releaseErrors(bank: Bank, release: StoredRelease): string[] {
  const expected = expectedOf(bank, release);
  return (['public', 'protected'] as const).flatMap((access) => {
    const there = release.resources[access];
    const own = [...there.keys()].filter((path) => access === 'protected' || !isPage(path));
    const tooMuch = own.filter((path) => !expected[access].has(path)).map((path) => `${path} is unexpected`);
    const wrong = [...expected[access]].flatMap(([path, bytes]) => {
      const served = there.get(path)?.find(({ coding }) => coding === 'identity')?.bytes;
      return served?.equals(bytes) ? [] : [`${path} is\n${served}\nnot\n${bytes}`];
    });
    return [...tooMuch, ...wrong];
  });
}

function isPage(path: string): boolean {
  return /^(docs|dashboard|favicon\.ico|robots\.txt)(\/|$)/.test(path);
}

function expectedOf(bank: Bank, release: StoredRelease): Expected {
  const expected: Expected = { public: new Map(), protected: new Map() };
  const papers = [...bank.keys()].filter(isPaper).map((path) => paperAt(path, bank));
  for (const exam of new Set(papers.map((paper) => paper.exam))) {
    const about = objectOf(bank.get(`${exam}/exam.json`)) ?? {};
    const ofExam = papers.filter((paper) => paper.exam === exam);
    const years = [...new Set(ofExam.map(({ year }) => year))].sort((one, other) => other - one);
    const resource = { exam, label: about['label'], years, totalYears: years.length };
    expected.public.set(exam, bytesOf(resource));
    for (const year of years) {
      const names = release.shifts.get(exam)?.get(String(year)) ?? [];
      const subjects = about['subjects'] as readonly string[];
      const shifts = names.map((shift) => {
        const ofShift = ofExam.filter((paper) => paper.year === year && paper.shift === shift);
        const inOrder = ofShift.sort(
          (one, other) => subjects.indexOf(one.subject) - subjects.indexOf(other.subject),
        );
        return shiftSummary(shift, inOrder, bank, expected);
      });
      expected.public.set(`${exam}/${year}`, bytesOf({ exam, year, shifts }));
    }
  }
  return expected;
}

/** The summary of a shift (2.2). Adds its files and diagrams to the expected responses. */
function shiftSummary(shift: string, papers: readonly Paper[], bank: Bank, expected: Expected): Json {
  const checksums: Record<string, string> = {};
  for (const { path, exam, year, subject, lastUpdated, questions } of papers) {
    const folder = path.slice(0, path.lastIndexOf('/'));
    const served = questions.map((question) => servedQuestion(question, folder, bank, expected));
    const total = served.length;
    const ofFile = checksum(canonicalJson(served));
    checksums[subject] = ofFile;
    const metadata = { examDate: shift.slice(0, 10), totalQuestions: total, lastUpdated, checksum: ofFile };
    expected.protected.set(path, bytesOf({ exam, year, shift, subject, total, questions: served, metadata }));
  }
  const dates = papers.map(({ lastUpdated }) => lastUpdated.slice(0, 10)).sort();
  return {
    shift,
    subjects: papers.map(({ subject }) => subject),
    total: papers.reduce((sum, { questions }) => sum + questions.length, 0),
    lastUpdated: dates.at(-1),
    checksum: checksum(canonicalJson(checksums)),
  };
}

/** A question of the response (2.3), with its fields in the order of the specification. */
function servedQuestion(question: Json, folder: string, bank: Bank, expected: Expected): Json {
  const { id, type, options, answer, topic, difficulty, accepted, dropped } = question;
  const diagrams = ((question['diagrams'] ?? []) as readonly Json[]).map(({ file, alt }) => {
    const path = `${folder}/diagrams/${file}`;
    const bytes = bank.get(path) ?? Buffer.alloc(0);
    expected.protected.set(path, bytes);
    return { file, alt, ...imageProperties(String(file), bytes), checksum: checksum(bytes) };
  });
  return {
    id,
    type,
    question: question['question'],
    options: (options as readonly Json[]).map(({ key, value }) => ({ key, value })),
    answer,
    topic,
    difficulty,
    hasDiagram: diagrams.length > 0,
    diagrams,
    ...(accepted !== undefined && { accepted }),
    ...(dropped !== undefined && { dropped }),
  };
}

function paperAt(path: string, bank: Bank): Paper {
  const [exam = '', year = '', shift = '', file = ''] = path.split('/');
  const { lastUpdated, questions } = objectOf(bank.get(path)) ?? {};
  return {
    ...{ path, exam, year: Number(year), shift, subject: file.slice(0, -'.json'.length) },
    ...{ lastUpdated: String(lastUpdated), questions: questions as readonly Json[] },
  };
}

function bytesOf(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}
