import { createHash } from 'node:crypto';

/** Canonical JSON (RFC 8785): sorted names, no spaces, strings as JSON.stringify writes them. */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`;
}

/** The diagrams of the passages, questions and options of a paper. */
export function diagramsOf({ passages = [], questions }) {
  return [...passages, ...questions].flatMap(({ diagrams, options = [] }) => [
    ...diagrams,
    ...options.flatMap(({ diagram }) => diagram ?? []),
  ]);
}

/** Computes the checksum of a string or of bytes. */
export function checksum(data) {
  return createHash('sha256').update(data).digest('hex').slice(0, CHECKSUM_LENGTH);
}
