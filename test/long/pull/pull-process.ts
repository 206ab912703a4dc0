import { type StartedProcess, startPastpaper } from '../../gateway/started-process.ts';

/** The arguments and the key of a pull. */
export interface PullArguments {
  readonly baseUrl: string;
  readonly what: string;
  readonly folder: string;
  readonly key: string;
}

/** Starts `npm run pull` in its own process. */
export function startPull({ baseUrl, what, folder, key }: PullArguments): StartedProcess {
  return startPastpaper('pull', { API_KEY: key }, [baseUrl, what, '--out', folder]);
}
