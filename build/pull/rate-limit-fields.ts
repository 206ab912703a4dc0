import { type Item, type List, parseList } from 'structured-headers';

/** One limit as a server tells it. What it leaves out is undefined. */
export interface ToldLimit {
  readonly name: string;
  /** Requests in a span. */
  readonly quota?: number | undefined;
  /** Milliseconds. */
  readonly span?: number | undefined;
  /** Requests left. */
  readonly remaining?: number | undefined;
  /** Milliseconds until more are left. */
  readonly reset?: number | undefined;
}

/** The header fields of an answer, by their names in lower case. */
export type Fields = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Reads `RateLimit-Policy` (`"rate";q=2;w=1`) and `RateLimit` (`"rate";r=0;t=1`) in the form of
 * draft-ietf-httpapi-ratelimit-headers-08: lists of structured fields (RFC 9651). What is none, or makes no
 * sense, is passed over.
 *
 * @returns a limit for each name
 */
export function readRateLimit(fields: Fields): readonly ToldLimit[] {
  const policies = itemsOf(fields['ratelimit-policy']);
  const standings = itemsOf(fields['ratelimit']);
  return [...new Set([...policies.keys(), ...standings.keys()])].map((name) => {
    const [policy, standing] = [policies.get(name), standings.get(name)];
    return {
      name,
      quota: policy?.('q'),
      span: inMilliseconds(policy?.('w')),
      remaining: standing?.('r'),
      reset: inMilliseconds(standing?.('t')),
    };
  });
}

/**
 * Reads `Retry-After` (RFC 9110, 10.2.3): seconds, or a date.
 *
 * @param now milliseconds since 1970, UTC
 * @returns milliseconds from now; undefined when there is none
 */
export function readRetryAfter(fields: Fields, now: number): number | undefined {
  const text = fields['retry-after'];
  if (typeof text !== 'string') return undefined;
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000;
  // Left to itself, Date.parse finds a date in almost anything.
  const date = text.endsWith(' GMT') ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** A parameter of an item, when it is a whole number that is not negative. */
type Parameter = (name: string) => number | undefined;

function itemsOf(field: Fields[string]): Map<string, Parameter> {
  if (field === undefined) return new Map();
  const items = listOf(String(field)).filter((member): member is Item => typeof member[0] === 'string');
  return new Map(
    items.map(([name, parameters]) => [
      String(name),
      (parameter) => {
        const value = parameters.get(parameter);
        return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined;
      },
    ]),
  );
}

function listOf(text: string): List {
  try {
    return parseList(text);
  } catch {
    return [];
  }
}

function inMilliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000;
}
