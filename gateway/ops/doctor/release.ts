import { DamagedRelease } from '../../../build/release/manifest.ts';
import { CurrentRelease } from '../../release/current-release.ts';
import { type Check, type Finding, ok, problem, warning } from './check.ts';
import { spanInWords } from './words.ts';

export const release: Check = {
  name: 'release',
  async look({ distDir }) {
    try {
      const releases = await CurrentRelease.open(distDir, () => {});
      await releases.close();
      return [ok(`Release ${releases.current.id} is whole.`), ...judgeAge(releases.publishedAt, Date.now())];
    } catch (error) {
      if (!(error instanceof DamagedRelease)) throw error;
      return [problem(`The release cannot be served: ${error.message}.`, 'Run npm run build.')];
    }
  },
};

function judgeAge(publishedAt: number | undefined, now: number): Finding[] {
  if (publishedAt === undefined) return [];
  if (publishedAt <= now) return [ok(`It was published ${spanInWords(now - publishedAt)} ago.`)];
  return [
    warning(
      `It was published ${spanInWords(publishedAt - now)} from now: a clock was wrong then, or is now.`,
      'Let NTP set the clock.',
    ),
  ];
}
