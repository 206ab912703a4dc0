import type { FileBytes } from '../content/file.ts';
import type {
  DiagramFile,
  DiagramReference,
  Paper,
  Question,
  ShiftPlace,
  SubjectFile,
} from '../content/types.ts';
import type { Difficulty, QuestionFile, ServedDiagram, ServedQuestion } from '../release/resources.ts';
import { parseShift } from '../release/urls.ts';
import { canonicalQuestions, checksumOfText, shortChecksum } from './checksum.ts';
import { jsonType, validateResponse } from './response.ts';

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
  /** In the order in which the paper comes to them. */
  readonly topics: readonly TopicCount[];
}

/** How many questions a paper has on a topic. */
interface TopicCount {
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
  readonly responses: readonly StoredResponse[];
}

interface StoredResponse extends Omit<ShiftResponse, 'body'> {
  /** Bytes. */
  readonly size: number;
  /** Hex SHA-256 of the body. */
  readonly sha256: string;
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
  place: ShiftPlace,
  papers: readonly Paper[],
  diagrams: readonly DiagramFile[],
  files: { readonly diagrams: readonly FileBytes[] },
): ShiftOutputs {
  const { exam, year, shift } = place;
  const path = `${exam}/${year}/${shift}`;
  const questionFiles = compilePapers(papers, diagrams);
  const responses = questionFiles.map((file): ShiftResponse => {
    const url = `${path}/${file.subject}.json`;
    validateResponse('QuestionFile', url, file);
    return { path: url, mediaType: jsonType, body: Buffer.from(JSON.stringify(file)) };
  });
  const named = new Set(
    questionFiles.flatMap(({ questions }) =>
      questions.flatMap((question) => question.diagrams.map(({ file }) => file)),
    ),
  );
  for (const [index, { file, image, path: source }] of diagrams.entries()) {
    if (!named.has(file)) continue;
    const body = files.diagrams[index];
    if (!body || 'fault' in body || 'fault' in image)
      throw new Error(`${source} passed the checks but is not an image.`);
    responses.push({ path: `${path}/diagrams/${file}`, mediaType: image.mediaType, body });
  }
  return { compiled: compiledShift(place, questionFiles), responses };
}

/** The question files of a shift, in the order of its papers. @param diagrams all that are in its folder */
export function compilePapers(
  papers: readonly Paper[],
  diagrams: readonly DiagramFile[],
): readonly QuestionFile[] {
  const byName = new Map(diagrams.map((diagram) => [diagram.file, diagram]));
  return papers.map((paper) => {
    if (!paper.content) throw new Error(`${paper.path} passed the checks but breaks its schema.`);
    return questionFile(paper, paper.content, byName);
  });
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
  const diagrams = (question.diagrams ?? []).map((diagram) => servedDiagram(diagram, files));
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

function servedDiagram(
  { file, alt }: DiagramReference,
  files: ReadonlyMap<string, DiagramFile>,
): ServedDiagram {
  const image = files.get(file)?.image;
  if (!image || 'fault' in image)
    throw new Error(`The diagram ${file} passed the checks but is not an image.`);
  const { mediaType, width, height, sha256 } = image;
  return { file, alt, mediaType, width, height, checksum: shortChecksum(sha256) };
}
