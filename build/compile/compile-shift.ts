import type { DiagramFile, Paper, ShiftPlace } from '../content/types.ts';
import type { Difficulty, QuestionFile, ServedQuestion } from '../release/resources.ts';
import { questionFile } from './question-file.ts';

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

/** What a shift answers with a key. */
export interface ShiftAnswers {
  /** In the order of the papers. */
  readonly files: readonly QuestionFile[];
  /** Those that a question names. */
  readonly diagrams: readonly DiagramFile[];
}

/**
 * The question files and diagrams of a shift that passed its checks.
 *
 * @param papers of one shift
 * @param diagrams all that stand in its folder
 */
export function shiftAnswers(papers: readonly Paper[], diagrams: readonly DiagramFile[]): ShiftAnswers {
  const byName = new Map(diagrams.map((diagram) => [diagram.file, diagram]));
  const files = papers.map((paper) => {
    if (!paper.content) throw new Error(`The checks let ${paper.path} pass, which broke its schema.`);
    return questionFile(paper, paper.content, byName);
  });
  const named = new Set<string>();
  for (const { questions } of files)
    for (const question of questions) for (const { file } of question.diagrams) named.add(file);
  return { files, diagrams: diagrams.filter(({ file }) => named.has(file)) };
}

/** A shift of which the answers stand in a release, or in the draft of one. */
export interface WrittenShift {
  /** SHA-256 over the files of the content that they were made of, in hex. */
  readonly digest: string;
  readonly compiled: CompiledShift;
  readonly answers: readonly WrittenAnswer[];
}

/** An answer that needs a key, as it is without a content coding. */
export interface WrittenAnswer {
  /** URL path without slashes at its ends. */
  readonly path: string;
  readonly mediaType: string;
  /** Bytes. */
  readonly size: number;
  /** Hex SHA-256 of the bytes. */
  readonly sha256: string;
}
