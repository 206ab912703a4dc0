/** The output of a step, as the runner of GitHub Actions parses it. */
export interface StepLog {
  readonly annotations: readonly Annotation[];
  /** Lines that are not commands. */
  readonly plain: readonly string[];
}

export interface Annotation {
  readonly command: string;
  readonly properties: ReadonlyMap<string, string>;
  readonly message: string;
}

/** Commands for annotations, and some that content must not be able to inject. */
const commands = ['error', 'warning', 'notice', 'add-mask', 'set-env', 'stop-commands', 'group', 'debug'];

/** Parses output line by line like the runner: ActionCommand.TryParseV2, then the older TryParse. */
export function readStep(output: string): StepLog {
  const annotations: Annotation[] = [];
  const plain: string[] = [];
  for (const line of output.split(/\r\n|\r|\n/)) {
    const command = readCommand(line) ?? readOldCommand(line);
    if (command) annotations.push(command);
    else plain.push(line);
  }
  return { annotations, plain };
}

function readCommand(line: string): Annotation | undefined {
  const trimmed = line.trimStart();
  if (!trimmed.startsWith('::')) return undefined;
  const end = trimmed.indexOf('::', 2);
  if (end < 0) return undefined;
  const info = trimmed.slice(2, end);
  const space = info.indexOf(' ');
  const command = space < 0 ? info : info.slice(0, space);
  if (!commands.includes(command)) return undefined;
  const properties = new Map<string, string>();
  const pairs =
    space < 0
      ? []
      : info
          .slice(space + 1)
          .trim()
          .split(',');
  for (const one of pairs) {
    const sign = one.indexOf('=');
    if (sign > 0 && sign < one.length - 1)
      properties.set(one.slice(0, sign), unescapeProperty(one.slice(sign + 1)));
  }
  return { command, properties, message: unescapeData(trimmed.slice(end + 2)) };
}

function readOldCommand(line: string): Annotation | undefined {
  const [, command = '', message = ''] = /##\[([^\] ]*)[^\]]*\](.*)$/.exec(line) ?? [];
  return commands.includes(command) ? { command, properties: new Map(), message } : undefined;
}

function unescapeData(text: string): string {
  return text.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%');
}

function unescapeProperty(text: string): string {
  const unescaped = text.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%3A', ':');
  return unescaped.replaceAll('%2C', ',').replaceAll('%25', '%');
}
