import { join } from 'node:path';
import { readJsonFile } from '../content/file.ts';
import type { FoundContent, ShiftFolder } from '../content/find.ts';
import type { Exam, SubjectFile } from '../content/types.ts';
import type { BankFacts } from '../rules/facts.ts';
import { type ReadQuestion, Repetitions } from './repetitions.ts';
import type { PaperPrint } from './work.ts';

/**
 * What the rules on the whole bank look at.
 *
 * @param prints of all papers, in any order
 */
export function bankFacts(
  contentDir: string,
  { shifts, strays, unreadable }: FoundContent,
  exams: readonly Exam[],
  prints: readonly PaperPrint[],
): BankFacts {
  const papers = shifts.flatMap((folder) => folder.papers);
  const printOf = new Map(prints.map((print) => [print.path, print]));
  const repetitions = new Repetitions(papers.flatMap(({ path }) => printOf.get(path) ?? []));
  const read = questionReader(contentDir);
  return {
    exams,
    papers,
    strays,
    unreadable,
    shifts: shifts.map(shiftFacts),
    repeatedIds: repetitions.ids(read),
    repeatedStems: repetitions.stems(read),
  };
}

function shiftFacts({ exam, year, shift, papers, diagrams }: ShiftFolder): BankFacts['shifts'][number] {
  return { exam, year, shift, path: papers[0]?.path ?? diagrams[0]?.path ?? '' };
}

/** Reads questions again; the paper read last is kept, since what is repeated is often of one paper. */
function questionReader(contentDir: string): ReadQuestion {
  let last: { readonly path: string; readonly questions: SubjectFile['questions'] } | undefined;
  return (path, index) => {
    if (last?.path !== path) {
      const file = readJsonFile(join(contentDir, path), path, 'paper');
      const value = file.state === 'parsed' ? (file.value as Partial<SubjectFile> | null) : undefined;
      last = { path, questions: Array.isArray(value?.questions) ? value.questions : [] };
    }
    return last.questions[index];
  };
}
