import { parseArgs } from 'node:util';
import { UsageError } from './command.ts';

/** The options that a command takes beside `--json`, each with a value. */
export type Options<Name extends string> = { readonly [Option in Name]?: string } & {
  readonly json: boolean;
};

/**
 * Reads a command's arguments: words in their order, and options.
 *
 * @param command its name, for messages
 * @param words what the command takes, in words that follow "takes"
 * @throws UsageError when something is missing, too much, or unknown
 */
export function readArguments<Name extends string>(
  command: string,
  args: readonly string[],
  words: readonly string[],
  ...names: readonly Name[]
): { readonly words: readonly string[]; readonly options: Options<Name> } {
  const { values, positionals } = parse(command, args, names);
  const surplus = positionals[words.length];
  if (positionals.length < words.length) throw new UsageError(`${command} takes ${words.join(' and ')}.`);
  if (surplus !== undefined) throw new UsageError(`${command} takes no "${surplus}".`);
  return { words: positionals, options: values as Options<Name> };
}

function parse(command: string, args: readonly string[], names: readonly string[]) {
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { ...options, json: { type: 'boolean', default: false } },
    });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const unknown = code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' && /'(-[^' ]+)/.exec(message)?.[1];
    throw new UsageError(unknown ? `${command} takes no ${unknown}.` : message);
  }
}
