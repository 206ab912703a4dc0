import {
  baselinePath,
  exceptionsPath,
  type FoundContent,
  placeOf,
  shiftPath,
} from '../content/file.ts';
import { fieldsOf, textHash } from '../content/question.ts';
import type { Exam, PaperPlace } from '../content/types.ts';
import type { Bank } from '../release/config.ts';
import { type BankFacts, bankRules, type UnlistedTopic } from '../rules/bank.ts';
import { problemsOf } from '../rules/rule.ts';
import {
  byPlace,
  countSeverities,
  type Diagnostic,
  locateInContent,
  type Report,
} from './diagnostic.ts';
import type { PaperFacts } from './process-shift.ts';
import { findRepetitions, findSimilar, questionReader, type ReadQuestion } from './repetitions.ts';

/** Which problems are reported. */
export interface Scope {
  /** Whether problems of a file itself are reported. */
  readonly concerns: (path: string) => boolean;
  /** Whether problems between a file and the rest of the bank are reported. */
  readonly concernsInBank: (path: string) => boolean;
}

/**
 * @param changed paths inside the content folder, including those of deleted files. Everything is reported if it is left
 * out, or if the exceptions changed
 */
export function scopeOf(changed?: ReadonlySet<string>): Scope {
  if (!changed || changed.has(exceptionsPath) || changed.has(baselinePath)) {
    const all = () => true;
    return { concerns: all, concernsInBank: all };
  }
  const places = [...changed].map(placeOf);
  const exams = new Set(places.flatMap((place) => (place.kind === 'exam' ? [place.code] : [])));
  const redrawn = new Set(
    places.flatMap((place) => (place.kind === 'diagram' ? [shiftPath(place)] : [])),
  );
  const concerns = (path: string) => {
    const place = placeOf(path);
    if (changed.has(path)) return true;
    if (place.kind === 'translation')
      return changed.has(`${shiftPath(place)}/${place.subject}.json`);
    return place.kind === 'paper' && redrawn.has(shiftPath(place));
  };
  return {
    concerns,
    concernsInBank: (path) => concerns(path) || path === '' || exams.has(path.split('/')[0] ?? ''),
  };
}

/** What is known of all units of the content. */
export interface ProcessedUnits {
  readonly exams: readonly Exam[];
  readonly facts: readonly PaperFacts[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Validates the bank as a whole, applies the bank's exceptions, and puts the report together. */
export async function checkBank(
  contentDir: string,
  content: FoundContent,
  processed: ProcessedUnits,
  bank: Bank,
  scope = scopeOf(),
): Promise<Report> {
  const problems = [
    ...problemsOf(bankRules, { ...bankFacts(contentDir, content, processed), bank }),
  ];
  const ofBank = locateInContent(contentDir, problems);
  const found = [
    ...processed.diagnostics.filter(({ file }) => scope.concerns(file)),
    ...ofBank.filter(({ file, related = [] }) =>
      [file, ...related.map((place) => place.file)].some(scope.concernsInBank),
    ),
  ];
  const kept =
    content.exceptions.length > 0
      ? await withoutExceptions(contentDir, content, scope, found, processed)
      : found;
  const diagnostics = withoutConsequences(kept);
  const validated = processed.facts.filter(({ path }) => scope.concerns(path));
  return {
    diagnostics: diagnostics.sort(byPlace),
    summary: {
      files: content.exams.filter(({ path }) => scope.concerns(path)).length + validated.length,
      questions: validated.reduce((sum, { questions }) => sum + questions, 0),
      ...countSeverities(diagnostics),
    },
  };
}

/** Loaded only for a bank that lists exceptions. */
async function withoutExceptions(
  contentDir: string,
  { exams, shifts, strays, unreadable, exceptions }: FoundContent,
  scope: Scope,
  found: readonly Diagnostic[],
  { facts }: ProcessedUnits,
): Promise<Diagnostic[]> {
  const { except } = await import('./exceptions.ts');
  const ofShifts = shifts.flatMap(({ details, papers, diagrams }) => [
    ...details,
    ...papers,
    ...diagrams,
  ]);
  const content = {
    files: [...exams, ...ofShifts, ...strays, ...unreadable].map(({ path }) => path),
    read: questionReader(contentDir),
    paperOf(id: string) {
      const hash = textHash(id);
      return facts.find(({ hashes }) =>
        new Float64Array(hashes).some((one, at) => at % 2 === 0 && one === hash),
      )?.path;
    },
  };
  return except(contentDir, exceptions, found, content, scope.concerns);
}

function bankFacts(
  contentDir: string,
  { shifts, strays, unreadable, emptyShifts }: FoundContent,
  { exams, facts }: ProcessedUnits,
): Omit<BankFacts, 'bank'> {
  const places = shifts.flatMap((folder) => folder.papers);
  const byPath = new Map(facts.map((paper) => [paper.path, paper]));
  const inOrder = places.flatMap(({ path }) => byPath.get(path) ?? []);
  const read = questionReader(contentDir);
  return {
    exams,
    papers: places.map((place) => {
      const { misplaced = [], sections = [] } = byPath.get(place.path) ?? {};
      return { ...place, misplaced, sections };
    }),
    strays,
    unreadable,
    emptyShifts,
    shifts: shifts.map(
      ({ exam, year, shift, details: [details], papers: [paper], diagrams: [diagram] }) => {
        const path = paper?.path ?? diagram?.path ?? details?.path ?? '';
        return {
          exam,
          year,
          shift,
          path,
          details: details && { ...details, content: byPath.get(details.path)?.details },
        };
      },
    ),
    repeatedIds: findRepetitions(inOrder, 'id', read),
    repeatedStems: findRepetitions(inOrder, 'question', read),
    similar: findSimilar(inOrder, read),
    unlistedTopics: findUnlistedTopics(exams, places, byPath, read),
  };
}

/** Finds the topics that exam.json does not list for a subject with a list. @param facts of papers, by their paths */
function findUnlistedTopics(
  exams: readonly Exam[],
  papers: readonly (PaperPlace & { readonly path: string })[],
  facts: ReadonlyMap<string, PaperFacts>,
  read: ReadQuestion,
): UnlistedTopic[] {
  const byExam = new Map(
    exams.map(({ code, path, content }) => {
      const topics = new Map(Object.entries(content?.topics ?? {}));
      return [code, { path, label: content?.label ?? code, topics }];
    }),
  );
  return papers.flatMap(({ path, exam, subject }) => {
    const own = byExam.get(exam);
    const listed = own?.topics.get(subject);
    const paper = facts.get(path);
    if (!own || !listed || !paper) return [];
    const known = new Set(listed);
    const unlisted = new Set(paper.topics.filter((topic) => !known.has(topic)));
    if (unlisted.size === 0) return [];
    return Array.from({ length: paper.hashes.byteLength / 16 }, (_, index): UnlistedTopic[] => {
      const { topic } = fieldsOf(read(path, index));
      if (typeof topic !== 'string' || !unlisted.has(topic)) return [];
      return [{ path, pointer: `/questions/${index}/topic`, topic, subject, listed, exam: own }];
    }).flat();
  });
}

/** Drops diagnostics that follow from another one: an id that names another paper because the question is a copy. */
function withoutConsequences(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const reported = new Set(
    diagnostics.flatMap(({ rule, file, pointer }) => [
      `${rule} ${file}`,
      `${rule} ${file}#${pointer}`,
    ]),
  );
  return diagnostics.filter((diagnostic) => !isConsequence(diagnostic, reported));
}

function isConsequence(
  { rule, file, pointer, related = [] }: Diagnostic,
  reported: ReadonlySet<string>,
): boolean {
  switch (rule) {
    case 'id-place':
      return (
        reported.has(`unique-ids ${file}#${pointer}`) || reported.has(`subject-allowed ${file}`)
      );
    case 'missing-paper':
      return reported.has(`subject-allowed ${file}`);
    case 'diagram-name':
      return reported.has(`id-place ${file}#${pointer.replace(/\/diagrams\/.*/, '/id')}`);
    case 'diagram-exists': {
      const folder = `${file.slice(0, file.lastIndexOf('/'))}/diagrams`;
      return reported.has(`readable-folder ${folder}`) || reported.has(`stray-file ${folder}`);
    }
    case 'diagram-image':
      return related.some((place) => reported.has(`stray-file ${place.file}`));
    case 'unused-diagram':
      return (
        reported.has(`stray-file ${file}`) ||
        reported.has(`missing-paper ${file.replace(/\/diagrams\/.*/, '')}`)
      );
    default:
      return false;
  }
}
