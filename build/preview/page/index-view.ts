import type { Exam } from '../../content/bank.ts';
import type { FoundContent, ShiftFolder } from '../../content/find.ts';
import { placeOf } from '../../content/place.ts';
import type { Diagnostic } from '../../report/diagnostic.ts';
import { paperAddress } from '../address.ts';

export interface ExamView {
  readonly code: string;
  readonly label: string;
  /** The newest first. */
  readonly years: readonly YearView[];
}

export interface YearView {
  readonly year: string;
  readonly shifts: readonly ShiftView[];
}

export interface ShiftView {
  readonly shift: string;
  readonly papers: readonly PaperLink[];
}

export interface PaperLink {
  readonly subject: string;
  readonly address: string;
  /** Undefined while it was not read yet; 0 when it is not of its schema's form. */
  readonly questions: number | undefined;
  readonly problems: readonly Diagnostic[];
}

/** What the index lists: papers by exam, year and shift, and the problems that are on no paper's page. */
export interface IndexView {
  readonly exams: readonly ExamView[];
  readonly elsewhere: readonly Diagnostic[];
}

export interface IndexSource {
  readonly content: FoundContent;
  readonly exams: readonly Exam[];
  /** Of the papers of a shift that were examined, by their paths. */
  readonly questions: (shift: ShiftFolder) => ReadonlyMap<string, number> | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** Whether a file is spoken of. */
  readonly concerns: (path: string) => boolean;
}

const byName = new Intl.Collator('en', { numeric: true }).compare;

/** Puts the papers in the order in which the API tells of them. */
export function indexView(source: IndexSource): IndexView {
  const { content, diagnostics, concerns } = source;
  const shifts = content.shifts.flatMap((folder) => {
    const papers = folder.papers.filter(({ path }) => concerns(path));
    return papers.length > 0 ? [{ ...folder, papers }] : [];
  });
  const codes = [...new Set(shifts.map(({ exam }) => exam))];
  const problems = problemsByPaper(diagnostics);
  const onPages = new Set(
    shifts.flatMap(({ papers }) => papers.flatMap(({ path }) => problems.get(path) ?? [])),
  );
  return {
    exams: codes.map((code) =>
      examView(
        code,
        shifts.filter(({ exam }) => exam === code),
        source,
        problems,
      ),
    ),
    elsewhere: diagnostics.filter(
      (diagnostic) =>
        !onPages.has(diagnostic) &&
        [diagnostic, ...(diagnostic.related ?? [])].some(({ file }) => concerns(file)),
    ),
  };
}

function examView(
  code: string,
  shifts: readonly ShiftFolder[],
  source: IndexSource,
  problems: ReadonlyMap<string, readonly Diagnostic[]>,
): ExamView {
  const content = source.exams.find((exam) => exam.code === code)?.content;
  const subjects = content?.subjects ?? [];
  const years = [...new Set(shifts.map(({ year }) => year))].sort((a, b) => byName(b, a));
  const paperLinks = (folder: ShiftFolder) =>
    bySubject(folder.papers, subjects).map((paper) => ({
      subject: paper.subject,
      address: paperAddress(paper),
      questions: source.questions(folder)?.get(paper.path),
      problems: problems.get(paper.path) ?? [],
    }));
  return {
    code,
    label: content?.label ?? code,
    years: years.map((year) => ({
      year,
      shifts: shifts
        .filter((folder) => folder.year === year)
        .sort((a, b) => byName(a.shift, b.shift))
        .map((folder) => ({ shift: folder.shift, papers: paperLinks(folder) })),
    })),
  };
}

/** By the path of the paper on whose page they stand. */
function problemsByPaper(diagnostics: readonly Diagnostic[]): Map<string, Diagnostic[]> {
  const problems = new Map<string, Diagnostic[]>();
  for (const diagnostic of diagnostics) {
    if (placeOf(diagnostic.file).kind !== 'paper') continue;
    const ofPaper = problems.get(diagnostic.file) ?? [];
    problems.set(diagnostic.file, ofPaper);
    ofPaper.push(diagnostic);
  }
  return problems;
}

/** Papers of a shift in the order in which their exam names the subjects; those that it does not name come last. */
export function bySubject<Paper extends { readonly subject: string }>(
  papers: readonly Paper[],
  subjects: readonly string[],
): Paper[] {
  return [...papers].sort((a, b) => rank(a.subject, subjects) - rank(b.subject, subjects));
}

function rank(subject: string, subjects: readonly string[]): number {
  const at = subjects.indexOf(subject);
  return at < 0 ? subjects.length : at;
}
