import type { FileBytes } from '../content/file.ts';
import type { DiagramFile, Paper, Question, ShiftPlace, SubjectFile } from '../content/types.ts';
import type { Difficulty, QuestionFile, ServedQuestion } from '../release/resources.ts';
import { parseShift } from '../release/urls.ts';
import { canonicalQuestions, checksumOfText, shortChecksum } from './checksum.ts';
import { diagramContentType, jsonType, validateResponse } from './response.ts';

/** What the public resources need to know about a shift. */
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
  /** In the order of the paper. */
  readonly topics: readonly TopicCount[];
}

/** How many questions a paper has on a topic. */
interface TopicCount {
  readonly topic: string;
  readonly counts: Readonly<Record<Difficulty, number>>;
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

/** The protected responses of a shift, and what the public ones need to know about it. */
export interface ShiftOutputs {
  readonly compiled: CompiledShift;
  readonly responses: readonly ShiftResponse[];
}

/** A protected response: a question file or a diagram. */
interface ShiftResponse {
  /** URL path without slashes at its ends. */
  readonly path: string;
  readonly mediaType: string;
  readonly body: Buffer;
}

/** Shift outputs whose bodies are stored in a release or in its draft. */
export interface PublishedShift {
  readonly compiled: CompiledShift;
  readonly responses: readonly (Omit<ShiftResponse, 'body'> & {
    /** Bytes. */
    readonly size: number;
    /** Hex SHA-256 of the body. */
    readonly sha256: string;
  })[];
}

/**
 * Compiles a shift whose content passed its checks.
 *
 * @param papers in the order of the folder
 * @param diagrams all diagrams of the folder; those that no question names are left out
 * @param files of the folder, as they were read
 * @throws Error when a question file does not conform to the API's schema
 */
export function compileShift(
  { exam, year, shift }: ShiftPlace,
  papers: readonly Paper[],
  diagrams: readonly DiagramFile[],
  files: { readonly diagrams: readonly FileBytes[] },
): ShiftOutputs {
  const folder = `${exam}/${year}/${shift}`;
  const byName = new Map(diagrams.map((diagram) => [diagram.file, diagram]));
  const questionFiles = papers.map((paper) => {
    if (!paper.content) throw new Error(`${paper.path} passed the checks but breaks its schema.`);
    return questionFile(paper, paper.content, byName);
  });
  const responses = questionFiles.map((file): ShiftResponse => {
    const path = `${folder}/${file.subject}.json`;
    validateResponse('QuestionFile', path, file);
    return { path, mediaType: jsonType, body: Buffer.from(JSON.stringify(file)) };
  });
  const served = questionFiles.flatMap(({ questions }) => questions.flatMap((question) => question.diagrams));
  const mediaTypes = new Map(served.map(({ file, mediaType }) => [file, mediaType]));
  for (const [index, { file }] of diagrams.entries()) {
    const [mediaType, body] = [mediaTypes.get(file), files.diagrams[index]];
    if (mediaType === undefined) continue;
    if (!Buffer.isBuffer(body)) throw new Error(`The diagram ${file} passed the checks but was not read.`);
    responses.push({ path: `${folder}/diagrams/${file}`, mediaType: diagramContentType(mediaType), body });
  }
  return { compiled: { exam, year, shift, papers: questionFiles.map(compiledPaper) }, responses };
}

/**
 * The question file resource (2.3) of a paper.
 *
 * @param diagrams the diagrams of the paper's shift, by file name
 */
export function questionFile(
  { exam, year, shift, subject }: Paper,
  { questions, lastUpdated }: SubjectFile,
  diagrams: ReadonlyMap<string, DiagramFile>,
): QuestionFile {
  const served = questions.map((question) => servedQuestion(question, diagrams));
  return {
    exam,
    year: Number(year),
    shift,
    subject,
    total: served.length,
    questions: served,
    metadata: {
      examDate: parseShift(shift).date,
      totalQuestions: served.length,
      lastUpdated,
      checksum: checksumOfText(canonicalQuestions(served)),
    },
  };
}

function servedQuestion(question: Question, files: ReadonlyMap<string, DiagramFile>): ServedQuestion {
  const diagrams = (question.diagrams ?? []).map(({ file, alt }) => {
    const image = files.get(file)?.image;
    if (!image || 'fault' in image)
      throw new Error(`The diagram ${file} passed the checks but is not an image.`);
    const { mediaType, width, height, sha256 } = image;
    return { file, alt, mediaType, width, height, checksum: shortChecksum(sha256) };
  });
  return {
    id: question.id,
    type: question.type,
    question: question.question,
    options: question.options.map(({ key, value }) => ({ key, value })),
    answer: question.answer,
    topic: question.topic,
    difficulty: question.difficulty,
    hasDiagram: diagrams.length > 0,
    diagrams,
    ...(question.accepted && { accepted: question.accepted }),
    ...(question.dropped && { dropped: question.dropped }),
  };
}
