import { type Command, readArguments, UsageError } from './command.ts';

const options = { format: { type: 'string', default: 'text' } } as const;

/** `npm run diff -- REF`: shows what changed in the content since a git ref. */
export const diffCommand: Command = async (args, { contentDir }, { stdout }) => {
  const { values, positionals } = readArguments(args, { options, allowPositionals: true });
  const [ref, ...more] = positionals;
  if (ref === undefined || more.length > 0)
    throw new UsageError('One git ref is needed to compare with: npm run diff -- main');
  if (values.format !== 'text' && values.format !== 'markdown')
    throw new UsageError(`--format is text or markdown, not "${values.format}".`);
  const { contentChanges } = await import('../diff/diff.ts');
  const report = await contentChanges(contentDir, ref);
  const { changesAsMarkdown } = await import('../diff/markdown.ts');
  const { changesAsText } = await import('../diff/text.ts');
  stdout.write(values.format === 'markdown' ? changesAsMarkdown(report) : changesAsText(report));
  return 0;
};
