import type { DiagramFile, DiagramReference, Paper, Question, SubjectFile } from '../content/types.ts';
import type { QuestionFile, ServedDiagram, ServedQuestion } from '../release/resources.ts';
import { canonicalQuestions, checksumOfText, shortChecksum } from './checksum.ts';
import { parseShift } from './shift-names.ts';

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
