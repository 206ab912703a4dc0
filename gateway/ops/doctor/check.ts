import type { Config } from '../../config.ts';

/** What a check found, in sentences. */
export type Finding =
  | { readonly state: 'ok'; readonly message: string }
  | {
      /** A problem keeps the gateway from its work, now or soon; a warning does not. */
      readonly state: 'warning' | 'problem';
      readonly message: string;
      /** What to do. */
      readonly advice: string;
    };

/** One thing that a set-up needs. */
export interface Check {
  readonly name: string;
  /** Looks, and leaves all as it is. It need not watch its time. */
  look(config: Config): Promise<readonly Finding[]>;
}

export function ok(message: string): Finding {
  return { state: 'ok', message };
}

export function warning(message: string, advice: string): Finding {
  return { state: 'warning', message, advice };
}

export function problem(message: string, advice: string): Finding {
  return { state: 'problem', message, advice };
}
