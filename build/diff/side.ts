import { placeOf } from '../content/find.ts';
import { isMoment } from './last-updated.ts';
import { type ComparedPaper, type ComparedQuestion, comparedExam, comparedPaper } from './paper.ts';
import type { Incomparable, Side } from './report.ts';
import type { Snapshot } from './snapshot.ts';

/** One side's papers and exams as far as they can be compared. */
export interface ReadSide {
  /** Paths of all papers that exist, also of those that cannot be compared. */
  readonly paths: ReadonlySet<string>;
  /** By path; so are the exams. */
  readonly papers: ReadonlyMap<string, ComparedPaper>;
  /** In the order of the papers' paths, then of the paper. */
  readonly questions: readonly ComparedQuestion[];
  readonly exams: ReadonlyMap<string, string>;
  readonly incomparable: readonly Incomparable[];
}

/** Reads what of a side can be compared; nothing is thrown. */
export function readSide(side: Side, { files }: Snapshot): ReadSide {
  const paths = new Set<string>();
  const papers = new Map<string, ComparedPaper>();
  const exams = new Map<string, string>();
  const incomparable: Incomparable[] = [];
  for (const [path, file] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const { kind } = placeOf(path);
    const doubt = (reason: string) => incomparable.push({ path, side, reason });
    if (kind === 'exam') {
      const exam = comparedExam(file);
      if (typeof exam === 'string') exams.set(path, exam);
      else doubt(exam.fault);
    } else if (kind === 'paper') {
      paths.add(path);
      const paper = comparedPaper(path, file);
      if ('fault' in paper) {
        doubt(paper.fault);
        continue;
      }
      papers.set(path, paper);
      paper.faults.forEach(doubt);
      if (!isMoment(paper.lastUpdated)) doubt('Its lastUpdated is no moment like 2024-06-01T10:00:00Z.');
    } else if ('fault' in file) doubt(file.fault);
  }
  const questions = [...papers.values()].flatMap((paper) => paper.questions);
  return { paths, papers, questions, exams, incomparable };
}
