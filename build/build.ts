import { compileBank } from './compile/compile.ts';
import { bankOutputs, shiftTables } from './publish/outputs.ts';
import { type Publication, publish } from './publish/publish.ts';
import type { Report } from './report/diagnostic.ts';
import { readLastRelease } from './site/catalogue/last-release.ts';
import { siteOutputs } from './site/site.ts';
import { type ValidationSetting, validateBank } from './validate.ts';

export interface BuildResult {
  readonly report: Report;
  /** Undefined when the content has errors: then nothing was published. */
  readonly publication: Publication | undefined;
}

/**
 * Validates the content and, if it has no errors, publishes it as the current release.
 *
 * @throws NoContent when there is no content folder; the file system's own errors when `distDir` cannot
 * be written
 */
export async function build(setting: ValidationSetting, distDir: string): Promise<BuildResult> {
  const { bank, report } = await validateBank(setting);
  if (report.summary.errors > 0) return { report, publication: undefined };
  const exams = compileBank(bank);
  const outputs = [...bankOutputs(exams), ...(await siteOutputs(exams, await readLastRelease(distDir)))];
  return { report, publication: await publish(distDir, setting.contentDir, outputs, shiftTables(exams)) };
}
