import { once } from 'node:events';
import { type Command, readArguments, UsageError } from '../command-line/command.ts';
import { changedFiles } from '../diff/git.ts';
import { startPreview } from '../preview/preview.ts';
import { readPublishedBank } from '../release/config.ts';

const options = { since: { type: 'string' }, port: { type: 'string' } } as const;

/** `pastpaper preview`: shows questions as a student sees them, until it is stopped. */
export const previewCommand: Command = async (args, { contentDir, dataDir }, { stdout, env }) => {
  const { values, positionals } = readArguments(args, options, '[FILE]');
  const port = values.port === undefined ? undefined : parsePort(values.port);
  const [file] = positionals;
  const { since: ref } = values;
  if (file !== undefined && ref !== undefined)
    throw new UsageError('Name a file or use --since, not both.');
  const changes = ref === undefined ? undefined : () => changedFiles(contentDir, ref);
  const shown = { contentDir, dataDir, file, ref, changedFiles: changes };
  const preview = await startPreview({
    ...shown,
    config: readPublishedBank(env),
    clock: () => new Date(),
    port,
  });
  stdout.write(`Preview: ${preview.url}\nIt reloads on every save. Press Ctrl+C to stop.\n`);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await preview.close();
  return 0;
};

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new UsageError(`--port must be a number from 0 to 65535, not "${text}".`);
  return port;
}
