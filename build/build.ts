import type { BuildResult } from './publish/result.ts';
import { StandingBuild } from './publish/standing-build.ts';
import type { Progress } from './threads/threads.ts';
import type { ValidationSetting } from './validate.ts';

const nobodyWatches: Progress = () => undefined;

/**
 * Validates the content and, if it has no errors, publishes it as the current release. What has not changed since the
 * last release is taken over from it; where nothing has, what builds is not even loaded.
 *
 * @throws NoContent when there is no content folder; the file system's own errors when `distDir` cannot
 * be written
 */
export async function build(
  setting: ValidationSetting,
  distDir: string,
  onProgress: Progress = nobodyWatches,
): Promise<BuildResult> {
  const standing = await StandingBuild.open({ ...setting, distDir });
  const result = await standing.result();
  if (result) return result;
  const { buildAnew } = await import('./build-anew.ts');
  const anew = await buildAnew(setting, distDir, onProgress);
  await standing.remember(anew);
  return anew;
}
