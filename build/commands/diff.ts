import { type Command, choose, readArguments } from '../command-line/command.ts';
import { changesAsMarkdown, changesAsText } from '../diff/report.ts';

const options = { format: { type: 'string', default: 'text' } } as const;

const formats = { text: changesAsText, markdown: changesAsMarkdown };

/** `pastpaper diff REF`: shows what changed in the content since a git ref. */
export const diffCommand: Command = async (args, { contentDir }, { stdout }) => {
  const { values, positionals } = readArguments(args, options, 'REF');
  const changesText = choose<(typeof formats)['text']>(formats, 'format', values.format);
  const { contentChanges } = await import('../diff/diff.ts');
  stdout.write(changesText(await contentChanges(contentDir, positionals[0] ?? '')));
  return 0;
};
