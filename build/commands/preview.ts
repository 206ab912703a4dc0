import { once } from 'node:events';
import { type Command, readArguments, UsageError } from '../command-line/command.ts';
import { changedFiles } from '../diff/git.ts';
import { type Shown, startPreview } from '../preview/preview.ts';
import { readBank } from '../release/bank.ts';

const options = { since: { type: 'string' }, port: { type: 'string' } } as const;

/** `pastpaper preview`: shows questions as a student sees them, until it is stopped. */
export const previewCommand: Command = async (args, { contentDir, dataDir }, { stdout }) => {
  const { values, positionals } = readArguments(args, options, '[FILE]');
  const port = values.port === undefined ? undefined : parsePort(values.port);
  const shown = shownOf(contentDir, positionals[0], values.since);
  const { name } = readBank();
  const preview = await startPreview({ name, contentDir, dataDir, clock: () => new Date(), port, shown });
  stdout.write(`Preview: ${preview.url}\nIt reloads on every save. Press Ctrl+C to stop.\n`);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await preview.close();
  return 0;
};

function shownOf(contentDir: string, file: string | undefined, since: string | undefined): Shown {
  if (file !== undefined && since !== undefined) throw new UsageError('Name a file or use --since, not both.');
  if (file !== undefined) return { kind: 'paper', file };
  if (since === undefined) return { kind: 'bank' };
  return { kind: 'changes', ref: since, changedFiles: () => changedFiles(contentDir, since) };
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new UsageError(`--port must be a number from 0 to 65535, not "${text}".`);
  return port;
}
