import { canonicalJson, checksum } from '../../../../build/canonical-json.ts';
import type { Access, StoredRelease } from '../../http/stored-release.ts';
import { type Bank, isPaper, isTranslation, nameOf } from '../bank.ts';
import { codeOf, type Json, objectOf } from './content.ts';
import { imageProperties } from './text.ts';
import { originalPath } from './translation.ts';

interface Paper {
  readonly path: string;
  readonly exam: string;
  readonly year: number;
  readonly shift: string;
  readonly subject: string;
  readonly lastUpdated: string;
  readonly questions: readonly Json[];
  readonly passages: readonly Json[];
  readonly marking: Json | undefined;
  readonly language?: string;
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
    const listed = about['subjects'] as readonly (string | Json)[];
    const labels = listed.flatMap((subject) => (typeof subject === 'string' ? [] : [subject]));
    const resource = {
      ...{ exam, label: about['label'], years, totalYears: years.length },
      ...(labels.length > 0 && { subjectLabels: Object.fromEntries(labels.map(({ code, label }) => [code, label])) }),
    };
    expected.public.set(exam, bytesOf(resource));
    for (const year of years) {
      const names = release.shifts.get(exam)?.get(String(year)) ?? [];
      const subjects = listed.map(codeOf);
      const shifts = names.map((shift) => {
        const ofShift = ofExam.filter((paper) => paper.year === year && paper.shift === shift);
        const inOrder = ofShift.sort((one, other) => subjects.indexOf(one.subject) - subjects.indexOf(other.subject));
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
  for (const paper of papers) checksums[paper.subject] = addFile(paper, bank, expected);
  const translations = papers.flatMap((paper) =>
    [...bank.keys()]
      .filter((path) => isTranslation(path) && originalPath(path) === paper.path)
      .sort()
      .map((path) => {
        const { subject, language } = nameOf(path);
        const ofFile = addFile(translationAt(path, paper, bank), bank, expected);
        return { file: path.slice(path.lastIndexOf('/') + 1), subject, language, checksum: ofFile };
      }),
  );
  const dates = papers.map(({ lastUpdated }) => lastUpdated.slice(0, 10)).sort();
  return {
    shift,
    subjects: papers.map(({ subject }) => subject),
    total: papers.reduce((sum, { questions }) => sum + questions.length, 0),
    lastUpdated: dates.at(-1),
    checksum: checksum(canonicalJson(checksums)),
    ...(translations.length > 0 && { translations }),
  };
}

/** Adds a question file (2.3) and its diagrams to the expected responses. Returns its checksum. */
function addFile(paper: Paper, bank: Bank, expected: Expected): string {
  const { path, exam, year, shift, subject, lastUpdated, questions, language } = paper;
  const drawn = (diagrams: unknown) =>
    ((diagrams ?? []) as readonly Json[]).map(({ file, alt = '' }) => {
      const place = `${path.slice(0, path.lastIndexOf('/'))}/diagrams/${file}`;
      const bytes = bank.get(place) ?? Buffer.alloc(0);
      expected.protected.set(place, bytes);
      return { file, alt, ...imageProperties(String(file), bytes), checksum: checksum(bytes) };
    });
  const passages = paper.passages
    .filter(({ id }) => questions.some(({ passage }) => passage === id))
    .map(({ id, text, diagrams }) => ({ id, text, diagrams: drawn(diagrams) }));
  const served = questions.map((question): Json => {
    const passage = passages.find(({ id }) => id === question['passage']);
    const diagrams = drawn(question['diagrams']);
    const options = (question['options'] as readonly Json[]).map(({ key, value = '', label, diagram }) =>
      defined({ key, value, label, diagram: diagram && drawn([diagram])[0] }),
    );
    const { answerRange } = question as { answerRange?: Json };
    return defined({
      id: question['id'],
      type: question['type'],
      question: question['question'],
      options,
      answer: question['answer'] ?? '',
      topic: question['topic'] ?? 'Unclassified',
      difficulty: question['difficulty'] ?? 'unrated',
      hasDiagram: [diagrams, passage?.diagrams, options.flatMap(({ diagram }) => diagram ?? [])].some(
        (list) => list && list.length > 0,
      ),
      diagrams,
      accepted: question['accepted'],
      dropped: question['dropped'],
      number: question['number'],
      section: question['section'],
      passage: question['passage'],
      passageChecksum: passage && checksum(canonicalJson(passage)),
      answerRange: answerRange && { min: answerRange['min'], max: answerRange['max'] },
      marking: marks((question['marking'] as Json | undefined) ?? paper.marking),
      solution: question['solution'],
    });
  });
  const total = served.length;
  const ofFile = checksum(canonicalJson(served));
  const metadata = { examDate: shift.slice(0, 10), totalQuestions: total, lastUpdated, checksum: ofFile };
  const resource = {
    ...{ exam, year, shift, subject, total, questions: served, metadata },
    passages: passages.length > 0 ? passages : undefined,
    ...{ marking: marks(paper.marking), language },
  };
  expected.protected.set(path, bytesOf(resource));
  return ofFile;
}

function marks(marking: Json | undefined): Json | undefined {
  if (!marking) return undefined;
  const { correct, incorrect, unanswered, partial } = marking;
  return defined({ correct, incorrect, unanswered, partial });
}

/** The fields that have a value. */
function defined(fields: Json): Json {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function paperAt(path: string, bank: Bank): Paper {
  const [exam = '', year = '', shift = ''] = path.split('/');
  const { lastUpdated, questions, passages = [], marking } = objectOf(bank.get(path)) ?? {};
  return {
    ...{ path, exam, year: Number(year), shift, subject: nameOf(path).subject },
    ...{ lastUpdated: String(lastUpdated), questions: questions as readonly Json[] },
    ...{ passages: passages as readonly Json[], marking: marking as Json | undefined },
  };
}

/** A paper with the texts of its translation. */
function translationAt(path: string, original: Paper, bank: Bank): Paper {
  const { lastUpdated, questions, passages } = paperAt(path, bank);
  const isNewer = Date.parse(lastUpdated) > Date.parse(original.lastUpdated);
  return {
    ...original,
    ...{ path, language: nameOf(path).language },
    lastUpdated: isNewer ? lastUpdated : original.lastUpdated,
    questions: translatedItems(original.questions, questions, 'id'),
    passages: translatedItems(original.passages, passages, 'id'),
  };
}

/** Each item with the texts of the item with the same name. */
function translatedItems(items: readonly Json[], translations: readonly Json[], name: string): Json[] {
  return items.map((item) => {
    const other = translations.find((one) => one[name] === item[name]) ?? {};
    const lists = ['options', 'diagrams', 'diagram'].filter((list) => item[list] !== undefined);
    const inner = lists.map((list) => {
      const [mine, theirs] = [item, other].map((one) => [one[list] ?? []].flat() as Json[]);
      const done = translatedItems(mine ?? [], theirs ?? [], list === 'options' ? 'key' : 'file');
      return [list, list === 'diagram' ? done[0] : done];
    });
    return { ...item, ...other, ...Object.fromEntries(inner) };
  });
}

function bytesOf(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}
