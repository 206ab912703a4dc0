import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { ServedDiagram, ServedQuestion } from '../release/resources.ts';

/** Hex digits of SHA-256 in a checksum of the API. */
export const checksumLength = 12;

/** The checksum of a value: the first 12 hex digits of the SHA-256 of its canonical JSON (RFC 8785). */
export function checksumOf(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('This value has no JSON form.');
  return checksumOfText(text);
}

/** @param text canonical JSON */
export function checksumOfText(text: string): string {
  return shortChecksum(createHash('sha256').update(text).digest('hex'));
}

/** @param sha256 in hex */
export function shortChecksum(sha256: string): string {
  return sha256.slice(0, checksumLength);
}

/**
 * The canonical JSON (RFC 8785) of served questions. `JSON.stringify` writes strings and whole numbers as the RFC requires;
 * what remains is the order of the properties. Listing them here is much faster than sorting the names of each question.
 */
export function canonicalQuestions(questions: readonly ServedQuestion[]): string {
  return JSON.stringify(questions.map(sortedQuestion));
}

function sortedQuestion(question: ServedQuestion): ServedQuestion {
  const { accepted, answer, diagrams, difficulty, dropped, hasDiagram, id, options, topic, type } = question;
  return {
    ...(accepted && { accepted }),
    answer,
    diagrams: diagrams.map(sortedDiagram),
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

function sortedDiagram({ alt, checksum, file, height, mediaType, width }: ServedDiagram): ServedDiagram {
  return { alt, checksum, file, height, mediaType, width };
}
