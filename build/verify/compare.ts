import type { Manifest, Resources, StoredResource } from '../release/manifest.ts';

/** One way in which a release is not what the content gives. */
export interface Difference {
  /** The URL path of an answer or, for a year's aliases, `<exam>/<year>`. */
  readonly path: string;
  readonly what: string;
}

/** How a release differs from the one that its content gives, in the order of the paths. */
export function differences(current: Manifest, rebuilt: Manifest): Difference[] {
  return [
    ...differingResources('public', current.public, rebuilt.public),
    ...differingResources('protected', current.protected, rebuilt.protected),
    ...differingAliases(current.shifts, rebuilt.shifts),
  ];
}

function differingResources(access: string, current: Resources, rebuilt: Resources): Difference[] {
  return keysOf(current, rebuilt).flatMap((path) => {
    const what = differenceOf(current[path], rebuilt[path]);
    return what ? [{ path, what: `${access}: ${what}` }] : [];
  });
}

function differenceOf(current: StoredResource | undefined, rebuilt: StoredResource | undefined) {
  if (!current) return 'the content gives it, the release lacks it';
  if (!rebuilt) return 'the release has it, the content does not give it';
  if (current.identity.sha256 !== rebuilt.identity.sha256) return 'other bytes';
  if (current.mediaType !== rebuilt.mediaType) return `${current.mediaType}, not ${rebuilt.mediaType}`;
  const isSame = JSON.stringify(current) === JSON.stringify(rebuilt);
  return isSame ? undefined : 'the same bytes, stored or compressed otherwise: by another version of Node?';
}

function differingAliases(current: Manifest['shifts'], rebuilt: Manifest['shifts']): Difference[] {
  return keysOf(current, rebuilt).flatMap((exam) => {
    const [one = {}, other = {}] = [current[exam], rebuilt[exam]];
    return keysOf(one, other)
      .filter((year) => JSON.stringify(one[year]) !== JSON.stringify(other[year]))
      .map((year) => ({ path: `${exam}/${year}`, what: 'other aliases of its shifts' }));
  });
}

function keysOf(one: object, other: object): string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].sort();
}
