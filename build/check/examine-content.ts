import type { ExamPlace, FoundContent, ShiftFolder } from '../content/find.ts';
import type { Exam } from '../content/types.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { Examiner } from './examiner.ts';
import { checkFormulas } from './formulas.ts';
import type { PassedFormulas } from './passed-formulas.ts';
import type { Scope } from './scope.ts';
import type { CleanFiles, PaperPrint, ShiftResult, TimedShift } from './work.ts';

/** What earlier runs found out about files that are as they were. */
export interface Recalls {
  exam(place: ExamPlace): Exam | undefined;
  shift(folder: ShiftFolder): readonly PaperPrint[] | undefined;
  /** Keeps what was recalled and what has passed now, for later runs. */
  save(clean: readonly CleanFiles[]): Promise<void>;
}

/** What the files show by themselves. */
export interface Examined {
  readonly exams: readonly Exam[];
  /** Of the papers that were examined, or are known to be right. */
  readonly papers: readonly PaperPrint[];
  /** Of the papers of which no more was asked. */
  readonly others: readonly PaperPrint[];
  readonly diagnostics: readonly Diagnostic[];
}

/** And what is made of them. */
export interface ExaminedContent extends Examined {
  /** Of the shifts that were examined, where the examiner makes any. */
  readonly answers: ShiftResult['answers'];
  readonly slowest: readonly TimedShift[];
}

/** What is examined, and by what. */
export interface Examining {
  readonly content: FoundContent;
  readonly scope: Scope;
  readonly recollection: Recalls;
  readonly openFormulas: () => Promise<PassedFormulas>;
  /** Of these folders; none is started where nothing is to be examined. */
  readonly startExaminer: (
    folders: readonly ShiftFolder[],
    formulas: Promise<PassedFormulas>,
  ) => Promise<Examiner>;
}

/** Examines what is not known to be right, and remembers what is now. */
export async function examineContent(examining: Examining): Promise<ExaminedContent> {
  const { content, scope, recollection, openFormulas, startExaminer } = examining;
  const knownExams = content.exams.flatMap((place) => recollection.exam(place) ?? []);
  const exams = content.exams.filter(({ path }) => !knownExams.some((exam) => exam.path === path));
  const knownPapers: PaperPrint[] = [];
  const folders = scope.examined.filter((folder) => {
    const prints = recollection.shift(folder);
    knownPapers.push(...(prints ?? []));
    return !prints;
  });
  if (exams.length + folders.length + scope.others.length === 0)
    return { exams: knownExams, papers: knownPapers, others: [], diagnostics: [], answers: [], slowest: [] };

  const opening = openFormulas();
  const examiner = await startExaminer([...folders, ...scope.others], opening);
  const formulas = await opening;
  const [ofExams, ofShifts, others] = await Promise.all([
    examiner.exams(exams),
    examiner.shifts(folders),
    examiner.prints(scope.others),
  ]);
  const met = ofShifts.flatMap((result) => result.formulas);
  const ofFormulas = await checkFormulas(examiner, folders, met, formulas.table);
  await formulas.save();
  const clean = [...ofExams.flatMap((exam) => exam.clean ?? []), ...cleanShifts(ofShifts, ofFormulas)];
  // Of a part of the bank nothing is kept: the rest would be forgotten.
  if (scope.others.length === 0) await recollection.save(clean);
  return {
    exams: [...knownExams, ...ofExams.map(({ exam }) => exam)],
    papers: [...knownPapers, ...ofShifts.flatMap((result) => result.papers)],
    others,
    diagnostics: [...ofExams, ...ofShifts].flatMap((result) => result.diagnostics).concat(ofFormulas),
    answers: ofShifts.flatMap((result) => result.answers),
    slowest: ofShifts.map((result) => result.slowest).filter(({ path }) => path !== ''),
  };
}

function cleanShifts(results: readonly ShiftResult[], ofFormulas: readonly Diagnostic[]): CleanFiles[] {
  const faulty = ofFormulas.map(({ file }) => file);
  return results
    .flatMap((result) => result.clean)
    .filter(({ unit }) => !faulty.some((file) => file.startsWith(`${unit}/`)));
}
