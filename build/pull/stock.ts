import { type DiagramAnswer, type PaperAnswer, shiftChecksum } from './answers.ts';
import type { Copy } from './copy.ts';
import { diagramPath, paperPath } from './paths.ts';
import type { WantedShift } from './service.ts';

/** A shift, and what of it is here. */
export interface ShiftStock {
  readonly shift: WantedShift;
  /** By subject; each matches its own checksum. */
  readonly papers: Map<string, PaperAnswer>;
}

/** A diagram that a paper names. */
export interface WantedDiagram extends DiagramAnswer {
  readonly shift: WantedShift;
  readonly path: string;
}

/** Reads what is here of a shift, from the disk. Whole papers are the copy's from then on. */
export async function stockOf(copy: Copy, shift: WantedShift): Promise<ShiftStock> {
  const papers = new Map<string, PaperAnswer>();
  for (const subject of shift.subjects) {
    const paper = await copy.paper(paperPath(shift.path, subject), { ...shift, subject });
    if (paper) papers.set(subject, paper);
  }
  await copy.adopt([...papers.keys()].map((subject) => paperPath(shift.path, subject)));
  return { shift, papers };
}

/** Whether the papers that are here are those of the service: all of them, and together they match its checksum. */
export function isSettled({ shift, papers }: ShiftStock): boolean {
  return papers.size === shift.subjects.length && shiftChecksum(papers) === shift.checksum;
}

/** The diagrams that the papers here name, each once. */
export function diagramsOf({ shift, papers }: ShiftStock): readonly WantedDiagram[] {
  const diagrams = new Map<string, WantedDiagram>();
  for (const { file, checksum } of [...papers.values()].flatMap((paper) => paper.diagrams)) {
    // Should two papers not agree on a diagram, both are held against it, and one is told.
    diagrams.set(`${file} ${checksum}`, { shift, file, checksum, path: diagramPath(shift.path, file) });
  }
  return [...diagrams.values()];
}
