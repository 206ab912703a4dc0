import { build } from '../build.ts';
import { contentCount, count } from '../report/count.ts';
import { textReport } from '../report/text.ts';
import { type Command, readArguments } from './command.ts';
import { terminal } from './terminal.ts';

/** `npm run build`: validates the content and publishes it as the current release. */
export const buildCommand: Command = async (args, { contentDir, distDir, dataDir }) => {
  readArguments(args, {});
  const start = performance.now();
  const { report, publication } = await build({ contentDir, dataDir, now: new Date() }, distDir);
  if (report.diagnostics.length > 0)
    process.stderr.write(textReport(report, { contentDir, ...terminal(process.stderr) }));
  if (!publication) {
    process.stderr.write('Nothing was published.\n');
    return 1;
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  process.stdout.write(
    `Published release ${publication.manifest.id}: ${contentCount(report.summary)}, ${count(publication.changedUrls, 'changed public URL')}, in ${seconds} s.\n`,
  );
  return 0;
};
