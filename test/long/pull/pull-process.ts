import { type StartedProcess, startPastpaper } from '../../gateway/started-process.ts';

/** Where a pull goes, and with what key. */
export interface PullPlace {
  readonly baseUrl: string;
  readonly what: string;
  readonly folder: string;
  readonly key: string;
}

/** Starts `npm run pull` as npm does, in a process of its own. */
export function startPull({ baseUrl, what, folder, key }: PullPlace): StartedProcess {
  return startPastpaper('pull', { API_KEY: key }, [baseUrl, what, '--out', folder]);
}
