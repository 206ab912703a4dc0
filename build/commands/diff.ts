import { choose, readArguments } from '../command-line/command.ts';
import type { ChangeReport } from '../diff/report.ts';
import type { Command } from './command.ts';

const options = { format: { type: 'string', default: 'text' } } as const;

/** Formats changes. */
const formats: Readonly<Record<string, (report: ChangeReport) => Promise<string>>> = {
  text: async (report) => (await import('../diff/report.ts')).changesAsText(report),
  markdown: async (report) => (await import('../diff/report.ts')).changesAsMarkdown(report),
};

/** `pastpaper diff REF`: shows what changed in the content since a git ref. */
export const diffCommand: Command = async (args, { contentDir }, { stdout }) => {
  const { values, positionals } = readArguments(args, options, 'REF');
  const changesText = choose(formats, 'format', values.format);
  const { contentChanges } = await import('../diff/diff.ts');
  stdout.write(await changesText(await contentChanges(contentDir, positionals[0] ?? '')));
  return 0;
};
