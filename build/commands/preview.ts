import { once } from 'node:events';
import { changedFiles } from '../diff/git.ts';
import { type Shown, startPreview } from '../preview/preview.ts';
import { type Command, readArguments, UsageError } from './command.ts';

const options = { since: { type: 'string' }, port: { type: 'string' } } as const;

/** `npm run preview`: shows questions as a student sees them, until it is stopped. */
export const previewCommand: Command = async (args, { contentDir, dataDir }, { stdout }) => {
  const { values, positionals } = readArguments(args, { options, allowPositionals: true });
  const port = values.port === undefined ? undefined : parsePort(values.port);
  const shown = shownOf(contentDir, positionals, values.since);
  const preview = await startPreview({ contentDir, dataDir, clock: () => new Date(), port, shown });
  stdout.write(`Preview: ${preview.url}\nIt follows what is saved. Stop it with Ctrl+C.\n`);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await preview.close();
  return 0;
};

function shownOf(contentDir: string, files: readonly string[], since: string | undefined): Shown {
  const [file, ...more] = files;
  if (more.length > 0) throw new UsageError('One file is shown at a time, or all without any.');
  if (file !== undefined && since !== undefined)
    throw new UsageError('Either a file is shown, or what changed --since a git ref.');
  if (file !== undefined) return { kind: 'paper', file };
  if (since === undefined) return { kind: 'bank' };
  return { kind: 'changes', ref: since, changedFiles: () => changedFiles(contentDir, since) };
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new UsageError(`--port is a number from 0 to 65535, not "${text}".`);
  return port;
}
