import { type Check, type Finding, ok, problem, warning } from './check.ts';

/** Versions that the tests run on; of the first, the least. */
const oldest = { major: 20, minor: 19 };
const tested: readonly number[] = [20, 22, 24, 26];

export const nodeVersion: Check = {
  name: 'Node',
  look: async () => [judgeNode(process.versions.node)],
};

/** @param version like `22.11.0` */
export function judgeNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const advice = `Install Node ${tested.at(-1)}.`;
  if (major < oldest.major || (major === oldest.major && minor < oldest.minor))
    return problem(`Node ${version} is too old: 20.19 is the least.`, advice);
  if (!tested.includes(major))
    return warning(
      `Node ${version} is none of the versions that this is tested on: ${tested.join(', ')}.`,
      advice,
    );
  return ok(`Node ${version}.`);
}
