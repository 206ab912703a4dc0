/** What the primary process and its workers send each other. */
import type { Plans } from '../../build/release/plans.ts';
import type { Config } from '../config.ts';
import type { MetricValues } from '../ops/admin-server.ts';
import { ListenError } from '../ops/run.ts';
import type { ManifestPart } from '../release/response-table.ts';
import type { TimeLimits } from '../server.ts';
import type { Answer, Question } from './decisions.ts';

export type ToWorker =
  | {
      readonly kind: 'start';
      readonly config: Config;
      /** The folder of the current release. */
      readonly folder: string;
      readonly timeLimits: TimeLimits | undefined;
    }
  | { readonly kind: 'answers'; readonly answers: readonly Answer[] }
  | { readonly kind: 'plans'; readonly plans: Plans }
  /** A new release, whose parts follow. */
  | { readonly kind: 'release'; readonly folder: string }
  | { readonly kind: 'part'; readonly part: ManifestPart }
  /** All parts were sent. The worker sends `done`. */
  | { readonly kind: 'prepare'; readonly id: number }
  | { readonly kind: 'switch'; readonly folder: string; readonly release: string }
  /** Asks for the metrics. The worker sends `done`. */
  | { readonly kind: 'metrics'; readonly id: number }
  /** The link was checked, as the worker asked. */
  | { readonly kind: 'done'; readonly id: number }
  /** @see Running.stop */
  | { readonly kind: 'stop'; readonly grace: number };

export type ToPrimary =
  /** It waits for `start`. */
  | { readonly kind: 'loaded' }
  | { readonly kind: 'listening'; readonly port: number }
  /** It cannot start, or could not write everything when it stopped. */
  | { readonly kind: 'failed'; readonly error: SentError }
  | { readonly kind: 'questions'; readonly questions: readonly Question[] }
  /** Asks to check the link. The primary process sends `done`. */
  | { readonly kind: 'refresh'; readonly id: number }
  | { readonly kind: 'done'; readonly id: number; readonly metrics?: MetricValues | undefined };

interface SentError {
  readonly message: string;
  readonly stack: string | undefined;
  /** Of a `ListenError`. */
  readonly listen:
    | { readonly what: string; readonly advice: string; readonly code: string | undefined }
    | undefined;
}

/** The error that a worker has sent, with its class. */
export function toError({ message, stack, listen }: SentError): Error {
  if (listen) return new ListenError(listen.what, listen.advice, listen.code);
  return Object.assign(new Error(message), { stack });
}

/** What each kind of message does. */
export type Handlers<Message extends { readonly kind: string }> = {
  readonly [Kind in Message['kind']]: (message: Extract<Message, { readonly kind: Kind }>) => void;
};

/** Calls the handler of a message. */
export function handle<Message extends { readonly kind: string }>(
  handlers: Handlers<Message>,
  message: Message,
): void {
  const handler: (message: never) => void = handlers[message.kind as Message['kind']];
  handler(message as never);
}

/** Waits for replies by their number, and no longer than a time limit. */
export class PendingReplies<Reply> {
  readonly #pending = new Map<number, (reply: Reply | undefined) => void>();
  #lastId = 0;

  /**
   * @param send sends the question with its number
   * @param timeout milliseconds
   * @returns undefined if there is no reply in time
   */
  ask(send: (id: number) => void, timeout: number): Promise<Reply | undefined> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.reply(id, undefined), timeout).unref();
      this.#pending.set(id, (reply) => {
        clearTimeout(timer);
        resolve(reply);
      });
      send(id);
    });
  }

  reply(id: number, reply: Reply | undefined): void {
    this.#pending.get(id)?.(reply);
    this.#pending.delete(id);
  }
}
