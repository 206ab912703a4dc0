/** The parts of a request. Each character is a byte (latin1). */
export interface RequestParts {
  readonly method: string;
  readonly target: string;
  readonly version: string;
  readonly fields: readonly Field[];
  /** On the wire, including chunk sizes. */
  readonly body: string;
}

export type Field = readonly [name: string, value: string];

/** The bytes of a request. */
export function renderRequest({ method, target, version, fields, body }: RequestParts): string {
  const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${target} ${version}\r\n${lines.join('')}\r\n${body}`;
}
