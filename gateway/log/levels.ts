/** How much a line in the log matters, the gravest first. */
export const levels = ['error', 'warn', 'info', 'debug'] as const;

export type Level = (typeof levels)[number];

/** The level of a line that names none: trouble of a request or a neighbour, or what threw here. */
export function levelOf(error: unknown): Level {
  return error === undefined ? 'warn' : 'error';
}
