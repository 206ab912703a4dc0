import type { ServedDiagram, ServedQuestion } from './resources.ts';

/**
 * The canonical JSON (RFC 8785) of served questions. What it asks beside `JSON.stringify`, which writes strings and
 * whole numbers as it does, is the order of the properties: by name. A bank has millions of questions, and to sort the
 * names of each would take as long as everything else that is done for it.
 */
export function canonicalQuestions(questions: readonly ServedQuestion[]): string {
  return JSON.stringify(questions.map(inOrder));
}

function inOrder(question: ServedQuestion): ServedQuestion {
  const { accepted, answer, diagrams, difficulty, dropped, hasDiagram, id, options, topic, type } = question;
  return {
    ...(accepted && { accepted }),
    answer,
    diagrams: diagrams.map(diagramInOrder),
    difficulty,
    ...(dropped && { dropped }),
    hasDiagram,
    id,
    options: options.map(({ key, value }) => ({ key, value })),
    question: question.question,
    topic,
    type,
  };
}

function diagramInOrder({ alt, checksum, file, height, mediaType, width }: ServedDiagram): ServedDiagram {
  return { alt, checksum, file, height, mediaType, width };
}
