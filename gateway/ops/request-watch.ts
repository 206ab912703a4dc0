import type { Details, Log } from '../log/log.ts';
import { ofRequest } from '../log/of-request.ts';
import type { RequestCounts } from './metrics/request-counts.ts';
import { type AnsweredResponse, routeOf } from './route.ts';

/** A response that is watched from when its request came. */
export type WatchedResponse = AnsweredResponse & {
  /** Milliseconds of `performance.now()`. */
  begunAt: number;
};

/** The number by which a request is counted whose client went away before there was an answer (nginx's own). */
const clientGone = 499;

/** Counts requests, and tells of each in the log at its least level. Only where one of both is asked for is there one. */
export class RequestWatch {
  readonly #counts: RequestCounts | undefined;
  readonly #log: Log | undefined;

  /** @param log undefined: requests are not told of */
  constructor(counts: RequestCounts | undefined, log: Log | undefined) {
    this.#counts = counts;
    this.#log = log;
  }

  begun(response: WatchedResponse): void {
    response.begunAt = performance.now();
  }

  /** To be told when the answer has been sent, or the client has gone. */
  ended(response: WatchedResponse): void {
    const milliseconds = performance.now() - response.begunAt;
    const status = response.headersSent ? response.statusCode : clientGone;
    this.#counts?.count(routeOf(response), status, milliseconds / 1000);
    this.#log?.('A request was answered.', undefined, {
      level: 'debug',
      ...ofRequest(response),
      ...foundTarget(response, status),
      status,
      milliseconds: Math.round(milliseconds * 1000) / 1000,
    });
  }

  /** To be told of what Node's parser refuses: that has no response. */
  refused(status: number): void {
    this.#counts?.countRefused('malformed', status);
    this.#log?.('A request was refused.', undefined, { level: 'debug', route: 'malformed', status });
  }
}

/** What was found: of anything else it is what the client wrote, a key in the wrong place, say. */
function foundTarget({ locals }: AnsweredResponse, status: number): Details {
  if (!locals?.target || (status !== 200 && status !== 304)) return {};
  const { kind, ...parts } = locals.target;
  return parts;
}
