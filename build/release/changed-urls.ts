import { headerRulesFile } from '../publish/hosts/header-rules.ts';
import type { Manifest, StoredResource } from './manifest.ts';

/** In `dist`: the list of the last switch, one URL path a line. */
export const changedUrlsFile = 'changed.txt';

/**
 * The public URLs whose answer (status, header fields, body) differs between two releases, for a cache to be
 * purged of them: in order, each in both spellings that the gateway answers, with and without a slash at the end.
 * A path that appears stands for the 404 that a cache may hold of it, one that disappears for its last 200.
 *
 * Header fields that are the same for all answers come from the software, not from the content. They show in the
 * header rules that are made of them: where those differ, everything does, the redirect of `/` too.
 *
 * @param before the release that was current; undefined: nothing is known of what caches hold, so all of `after`
 * @returns URL paths, each beginning with `/`
 */
export function changedPublicUrls(
  before: Pick<Manifest, 'public' | 'hosts'> | undefined,
  after: Pick<Manifest, 'public' | 'hosts'>,
): string[] {
  const all = before?.hosts[headerRulesFile]?.sha256 !== after.hosts[headerRulesFile]?.sha256;
  const paths = new Set([...Object.keys(before?.public ?? {}), ...Object.keys(after.public)]);
  const changed = [...paths].filter(
    (path) => all || answerOf(before?.public[path]) !== answerOf(after.public[path]),
  );
  return [...(all ? ['/'] : []), ...changed.sort().flatMap((path) => [`/${path}`, `/${path}/`])];
}

/** All that an answer depends on beside the software, as a text that can be compared. */
function answerOf(stored: StoredResource | undefined): string | undefined {
  return (
    stored &&
    JSON.stringify([stored.mediaType, stored.identity.sha256, stored.br?.sha256, stored.gzip?.sha256])
  );
}
