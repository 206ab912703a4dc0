import type { CompiledExam } from '../compile/compile.ts';

/** A paper of the bank to show requests with. */
export interface Example {
  /** `neet/2024` */
  readonly year: string;
  /** The full name of its first shift. */
  readonly shift: string;
  /** `physics.json` */
  readonly file: string;
}

/** The first subject of the first shift that the bank has. */
export function exampleOf(exams: readonly CompiledExam[]): Example {
  for (const { resource, years } of exams) {
    for (const { resource: year, shifts } of years) {
      const [shift] = shifts;
      const paper = shift?.papers[0];
      if (paper)
        return {
          year: `${resource.exam}/${year.year}`,
          shift: shift.shift,
          file: `${paper.subject}.json`,
        };
    }
  }
  throw new Error('The checks let an empty bank pass.');
}

/** The path by which the example's questions are asked for. */
export function examplePath({ year, file }: Example): string {
  return `/${year}/s1/${file}`;
}
