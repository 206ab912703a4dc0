import type { CurrentRelease } from '../../release/current-release.ts';
import type { Metrics } from './metric.ts';

/** Tells which release is served, and since when it has been the one to serve. */
export function tellRelease(releases: CurrentRelease, metrics: Metrics | undefined): void {
  metrics?.add({
    name: 'pastpaper_release_info',
    help: 'The release that is served, by its id.',
    type: 'gauge',
    read: () => [{ labels: { release: releases.current.id }, value: 1 }],
  });
  metrics?.add({
    name: 'pastpaper_release_published_timestamp_seconds',
    help: 'When the release that is served was published: its age is the time since.',
    type: 'gauge',
    read: () => (releases.publishedAt === undefined ? [] : [{ value: releases.publishedAt / 1000 }]),
  });
  metrics?.add({
    name: 'pastpaper_release_refused',
    help: 'Whether a newer release is there that cannot be served (1) or not (0).',
    type: 'gauge',
    read: () => [{ value: releases.isRefusing ? 1 : 0 }],
  });
}
