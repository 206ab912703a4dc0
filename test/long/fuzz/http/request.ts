/** A request in its parts. Texts are bytes: each character is one (latin1). */
export interface RequestParts {
  readonly method: string;
  readonly target: string;
  readonly version: string;
  readonly fields: readonly Field[];
  /** As it is sent, chunk sizes and all. */
  readonly body: string;
}

export type Field = readonly [name: string, value: string];

/** The bytes of a request. */
export function rendered({ method, target, version, fields, body }: RequestParts): string {
  const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${target} ${version}\r\n${lines.join('')}\r\n${body}`;
}

/** The values of a field, white space around them left away, however its name is written. */
export function valuesOf({ fields }: RequestParts, name: string): string[] {
  return fields
    .filter(([one]) => one.toLowerCase() === name)
    .map(([, value]) => value.replace(/^[ \t]+|[ \t]+$/g, ''));
}

/** Whether it asks if a body is wanted, or for another protocol: a server may close when it has answered. */
export function asksBeside({ fields }: RequestParts): boolean {
  return fields.some(([name]) => /^(expect|upgrade)$/i.test(name));
}
