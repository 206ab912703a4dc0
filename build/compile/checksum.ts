import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { ServedQuestion } from '../release/resources.ts';

/** Hex digits of SHA-256 in a checksum of the API. */
export const checksumLength = 12;

/** The checksum of a value: the first 12 hex digits of the SHA-256 of its canonical JSON (RFC 8785). */
export function checksumOf(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('This value cannot be represented in JSON.');
  return checksumOfText(text);
}

/** @param text canonical JSON */
export function checksumOfText(text: string): string {
  return shortChecksum(hash('sha256', text));
}

/** @param sha256 in hex */
export function shortChecksum(sha256: string): string {
  return sha256.slice(0, checksumLength);
}

/** The fields of a served question and of all inside it, in the order of RFC 8785. */
const fields = [
  ...'accepted alt answer answerRange checksum correct diagram diagrams difficulty dropped file'.split(
    ' ',
  ),
  ...'hasDiagram height id incorrect key label marking max mediaType min number options partial'.split(
    ' ',
  ),
  ...'passage passageChecksum question section solution topic type unanswered value width'.split(
    ' ',
  ),
];

/**
 * The canonical JSON (RFC 8785) of served questions. `JSON.stringify` writes strings and numbers as the RFC requires,
 * and properties in the order of this list: much faster than sorting the names of each question.
 */
export function canonicalQuestions(questions: readonly ServedQuestion[]): string {
  return JSON.stringify(questions, fields);
}
