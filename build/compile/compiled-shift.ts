import type { ShiftPlace } from '../content/bank.ts';
import type { Difficulty } from '../content/content.ts';
import type { QuestionFile, ServedQuestion } from './resources.ts';

/** What the rest of a release is made of: all that is kept of a shift once its own answers stand. */
export interface CompiledShift extends ShiftPlace {
  readonly papers: readonly CompiledPaper[];
}

export interface CompiledPaper {
  readonly subject: string;
  readonly total: number;
  /** ISO 8601, UTC. */
  readonly lastUpdated: string;
  /** Over the canonical JSON of its questions. */
  readonly checksum: string;
  readonly hasDiagram: boolean;
  /** In the order in which the paper comes to them. */
  readonly topics: readonly TopicCount[];
}

/** How many questions a paper has on a topic. */
export interface TopicCount {
  readonly topic: string;
  readonly counts: Readonly<Record<Difficulty, number>>;
}

/** @param files of the shift, in the order in which they are to be kept */
export function compiledShift(place: ShiftPlace, files: readonly QuestionFile[]): CompiledShift {
  const { exam, year, shift } = place;
  return { exam, year, shift, papers: files.map(compiledPaper) };
}

function compiledPaper({ subject, total, questions, metadata }: QuestionFile): CompiledPaper {
  return {
    subject,
    total,
    lastUpdated: metadata.lastUpdated,
    checksum: metadata.checksum,
    hasDiagram: questions.some((question) => question.hasDiagram),
    topics: topicCounts(questions),
  };
}

function topicCounts(questions: readonly ServedQuestion[]): TopicCount[] {
  const found = new Map<string, Record<Difficulty, number>>();
  for (const { topic, difficulty } of questions) {
    const counts = found.get(topic) ?? { easy: 0, medium: 0, hard: 0 };
    counts[difficulty] += 1;
    found.set(topic, counts);
  }
  return [...found].map(([topic, counts]) => ({ topic, counts }));
}
