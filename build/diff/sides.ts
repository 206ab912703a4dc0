import { hash } from 'node:crypto';
import type { Diagnostic } from '../check/diagnostic.ts';
import { processExam, processShift } from '../check/process-shift.ts';
import { inSchemaOrder } from '../compile/response.ts';
import type { FileBytes } from '../content/file.ts';
import {
  type FoundContent,
  pathsOfShift,
  placeOf,
  type ShiftFolder,
  shiftPath,
} from '../content/file.ts';
import { subjectCodes, subjectLabels } from '../content/types.ts';
import type { ExamFile, TranslationFile } from '../content/written.ts';
import type { Question, QuestionFile } from '../release/resources.ts';
import { strictRules } from '../rules/rules.ts';

/** One side of a comparison: the exam files that differ, and all files of the shifts in which a file differs. */
export interface Snapshot extends Pick<FoundContent, 'exams' | 'shifts'> {
  /** Called once for each file: for the exams in their order, then for the files of each shift (`pathsOfShift`). */
  readonly read: (path: string) => FileBytes | Promise<FileBytes>;
}

/** What is compared of a file: of a paper as it is served, of a translation as it is written. */
export interface ComparedFile {
  readonly lastUpdated: string;
  readonly passages: readonly { readonly id: string }[];
  readonly questions: readonly { readonly id: string }[];
  /** All of it but the time of its last update. */
  readonly content: object;
}

/** A question as it is served. */
export interface PlacedQuestion {
  readonly path: string;
  /** In its paper, from 0. */
  readonly index: number;
  readonly question: Question;
  readonly paper: QuestionFile;
}

/** Why a release cannot serve a file. */
export interface Fault {
  readonly line: number;
  readonly message: string;
  readonly bytes: FileBytes | undefined;
}

/** What is served of one side. */
export interface Side {
  /** All exam and shift files, papers and translations that exist. */
  readonly paths: Set<string>;
  /** Papers and translations. */
  readonly files: Map<string, ComparedFile>;
  readonly questions: PlacedQuestion[];
  /** Exam and shift files, as they are served. */
  readonly details: Map<string, unknown>;
  /** SHA-256 of each diagram. */
  readonly diagrams: Map<string, string>;
  /** The files that cannot be served. */
  readonly faults: Map<string, Fault>;
}

/** No rule on formulas keeps a question from being served. */
const options = {
  now: new Date(),
  validFormulas: new Set<number>(),
  loadKatex: async () => () => undefined,
};

/** Compiles one side. A file that breaks its rules is left out, and so is what needs it. */
export async function readSide({ exams, shifts, read }: Snapshot): Promise<Side> {
  const side: Side = {
    paths: new Set(),
    files: new Map(),
    questions: [],
    details: new Map(),
    diagrams: new Map(),
    faults: new Map(),
  };
  for (const place of exams) {
    const { path } = place;
    const bytes = await read(path);
    const { exam, diagnostics } = processExam(place, bytes);
    side.paths.add(path);
    if (exam.content) side.details.set(path, servedExam(exam.content));
    else addFaults(side, diagnostics, () => bytes);
  }
  for (const shift of shifts) {
    const bytes = new Map<string, FileBytes>();
    for (const path of pathsOfShift(shift)) bytes.set(path, await read(path));
    await addShift(side, shift, bytes);
  }
  return side;
}

async function addShift(
  side: Side,
  shift: ShiftFolder,
  bytes: ReadonlyMap<string, FileBytes>,
): Promise<void> {
  const bytesAt = ({ path }: { readonly path: string }) => bytes.get(path) ?? Buffer.alloc(0);
  const process = (folder: ShiftFolder, compile: boolean) => {
    const { details, papers, translations, diagrams } = folder;
    const files = {
      details: details.map(bytesAt),
      papers: papers.map(bytesAt),
      translations: translations.map(bytesAt),
      diagrams: diagrams.map(bytesAt),
    };
    return processShift(folder, files, { ...options, compile });
  };
  const addFound = (diagnostics: readonly Diagnostic[]) =>
    addFaults(side, diagnostics, (path) => bytes.get(path));
  for (const { path } of [...shift.details, ...shift.papers, ...shift.translations])
    side.paths.add(path);
  for (const place of shift.diagrams) {
    const image = bytesAt(place);
    if (Buffer.isBuffer(image)) side.diagrams.set(place.path, hash('sha256', image));
  }
  // Its fields are in every question file of the shift: they are compared once.
  const { facts, diagnostics } = await process(
    { ...noFiles(shift), details: shift.details },
    false,
  );
  addFound(diagnostics);
  for (const { path, details } of facts)
    if (details) side.details.set(path, inSchemaOrder<unknown>('ShiftSummary', details));
  let rest: ShiftFolder = { ...shift, details: [] };
  let result = await process(rest, true);
  while (addFound(result.diagnostics)) {
    rest = withoutFaulty(rest, side.faults);
    result = await process(rest, true);
  }
  const responses = new Map(
    result.outputs?.responses.map(({ file, body }) => [`${shiftPath(shift)}/${file}`, body]),
  );
  for (const place of rest.papers) {
    const { path } = place;
    const body = responses.get(path);
    if (!body) {
      const message = 'A release cannot have an exam, shift or subject of this name.';
      side.faults.set(path, { line: 1, message, bytes: bytesAt(place) });
      continue;
    }
    const paper: QuestionFile = JSON.parse(String(body));
    const { questions, passages = [], metadata } = paper;
    const { lastUpdated } = metadata;
    const content = { ...paper, metadata: undefined };
    side.files.set(path, { lastUpdated, passages, questions, content });
    for (const [index, question] of questions.entries())
      side.questions.push({ path, index, question, paper });
  }
  for (const place of rest.translations) {
    const translation: TranslationFile = JSON.parse(String(bytesAt(place)));
    const { lastUpdated, passages = [], questions } = translation;
    const content = { passages, questions };
    side.files.set(place.path, { lastUpdated, passages, questions, content });
  }
}

/** Adds the first problem of each file that a release cannot serve. @returns whether there are new ones */
function addFaults(
  { faults }: Side,
  diagnostics: readonly Diagnostic[],
  bytesOf: (path: string) => FileBytes | undefined,
): boolean {
  const before = faults.size;
  for (const { rule, file, line, message } of diagnostics)
    if (strictRules.has(rule) && !faults.has(file))
      faults.set(file, { line, message, bytes: bytesOf(file) });
  return faults.size > before;
}

function noFiles(shift: ShiftFolder): ShiftFolder {
  return { ...shift, details: [], papers: [], translations: [], diagrams: [] };
}

function withoutFaulty(shift: ShiftFolder, faults: ReadonlyMap<string, Fault>): ShiftFolder {
  const isSound = ({ path }: { readonly path: string }) => !faults.has(path);
  return {
    ...shift,
    papers: shift.papers.filter(isSound),
    translations: shift.translations.filter(isSound),
    diagrams: shift.diagrams.filter(isSound),
  };
}

/** What is served of an exam file, with the order of its subjects, in which papers are listed. */
function servedExam(exam: ExamFile): unknown {
  const subjects = subjectCodes(exam);
  return { ...inSchemaOrder('ExamYears', exam), subjects, labels: subjectLabels(exam) };
}

/** @param path of a paper or translation */
export function isTranslation(path: string): boolean {
  return placeOf(path).kind === 'translation';
}
