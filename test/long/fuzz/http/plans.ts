/** What is sent on one connection: well-formed requests, and a last send after which the connection must close. */
import fc, { type Arbitrary } from 'fast-check';
import { sometimes, uniform, weighted } from '../arbitraries.ts';
import type { FuzzContext } from './gateway-under-test.ts';
import odd from './odd-requests.json' with { type: 'json' };
import { paths, type RequestParts, renderRequest, requestTo } from './requests.ts';

/**
 * What is known of a response. Which status a well-formed request gets is proven by the specification and the golden
 * record; here it only has to be a valid response.
 */
export interface Expected {
  /** Bytes that are no request get one of these statuses, after which the connection is closed. */
  readonly statuses?: readonly number[];
  readonly isHead?: boolean;
  /** Any response of the authentication service, except 5xx. */
  readonly isService?: boolean;
  /** Whether the request has Expect or Upgrade, after which a server may close the connection. */
  readonly mayBeLast?: boolean;
}

/** Bytes (latin1) that are sent together. The next send waits for their responses. */
export interface Send {
  readonly packets: readonly string[];
  /** The expected responses; undefined if any valid response is accepted. */
  readonly expected: readonly Expected[] | undefined;
}

/** Everything that is sent on one connection. */
export interface Plan {
  readonly sends: readonly Send[];
  /**
   * The end of the connection. `closes`: the server closes the connection at once; `half-close`: the client closes its side
   * and waits for responses; `cut`: the client closes both sides; `reset`: the client resets the connection; `open`: the
   * client does nothing, and the server closes the connection in time.
   */
  readonly ending: 'closes' | 'half-close' | 'cut' | 'reset' | 'open';
}

/** One request, or bytes that resemble requests. */
interface Item {
  readonly text: string;
  /** Undefined if any valid response is accepted. */
  readonly expected?: Expected;
}

/** The size of request line and header fields in bytes that a server must accept. */
const maxHeadLength = 15_000;
/** The most pipelined requests: a gateway accepts 64, and counts a request a moment longer than its response takes. */
const maxPipelined = 24;

const pick = fc.constantFrom;

/** The plan of one connection. */
export function plans(context: FuzzContext): Arbitrary<Plan> {
  const targets = paths(context.release);
  const request = requestTo(targets, context).filter(
    ({ target, ...others }) =>
      /^\/[!$-;=?-Z[\]_a-z~]*$/.test(target) &&
      renderRequest({ ...others, target, body: '' }).length < maxHeadLength,
  );
  /** Without a body, and with one in its response. */
  const bare = request
    .filter(({ method }) => method !== 'HEAD')
    .map((one) => ({ ...withoutFields(one, /^(content-|transfer-)/i), body: '' }));
  /** Requests, only the last of which may end the connection. */
  const requests = (minLength: number, maxLength: number) =>
    fc.array(request, { minLength, maxLength, size: 'max' }).map((all) => {
      const last = all.findIndex(mayBeLast);
      return all.slice(0, last < 0 ? undefined : last + 1).map(itemOf);
    });
  /** A request after which the server closes the connection. */
  const last = fc.tuple(request, pick('close', 'te, close', 'HTTP/1.0')).map(([one, how]) => {
    const open = withoutFields(one, /^connection$/i);
    if (how === 'HTTP/1.0') return itemOf({ ...open, version: how });
    return itemOf({ ...open, fields: [...open.fields, ['Connection', how]] });
  });
  const malformed = fc
    .tuple(bare, pick(...odd.brokenLines), fc.nat(), pick(...odd.smuggled))
    .map(([one, broken, at, bytes]): Item => {
      const [first = '', ...lines] = renderRequest(one).trimEnd().split('\r\n');
      lines.splice(at % (lines.length + 1), 0, ...broken);
      const text = `${[first, ...lines].join('\r\n')}\r\n\r\n${bytes}`;
      return { text, expected: { statuses: one.method === 'GET' ? [400] : [400, 405] } };
    });
  const unknown = fc
    .tuple(
      bare,
      fc.oneof(
        pick(...odd.unknownMethods).map((method) => [405, { method }] as const),
        pick(...odd.otherVersions).map((version) => [505, { version }] as const),
      ),
    )
    .map(
      ([one, [status, change]]): Item => ({
        text: renderRequest({ ...one, ...change }),
        expected: { statuses: [status] },
      }),
    );
  const anyRequest = requestTo(targets, context).map(renderRequest);
  const part = fc
    .tuple(anyRequest, uniform(1000))
    .map(
      ([text, share]): Item => ({ text: text.slice(0, Math.ceil((text.length * share) / 1000)) }),
    );
  const wild = fc
    .tuple(
      fc.array(anyRequest, { minLength: 1, maxLength: 3 }),
      fc.array(mutations, { minLength: 1, maxLength: 12 }),
    )
    .map(
      ([all, some]): Item => ({ text: some.reduce((text, change) => change(text), all.join('')) }),
    );
  const silent = fc
    .tuple(requests(0, 2), part)
    .map(([all, end]): Item[] => [...all.map(({ text }) => ({ text })), end]);

  const ends = (
    weight: number,
    items: Arbitrary<readonly Item[]>,
    ...endings: readonly Plan['ending'][]
  ) => [weight, fc.record({ items, ending: pick(...endings) })] as const;
  const one = (items: Arbitrary<Item>) => items.map((item) => [item]);
  const end = weighted(
    ends(60, one(wild), 'half-close'),
    ends(35, one(malformed), 'closes'),
    ends(20, one(last), 'closes'),
    ends(20, one(unknown), 'closes'),
    ends(20, requests(1, 6), 'half-close', 'cut', 'reset'),
    ends(15, one(part), 'cut', 'reset'),
    ends(2, silent, 'open'),
  );
  const before = fc.array(weighted([9, requests(1, 6)], [1, requests(7, maxPipelined)]), {
    maxLength: 5,
  });
  return fc.tuple(before, end, splits).map(([batches, { items, ending }, places]) => ({
    sends: [...batches, items].map((all, index) => sendOf(all, places[index] ?? [])),
    ending,
  }));
}

/** Where each send is split into packets, in thousandths of its length. */
const splits = fc.array(sometimes(20, fc.array(uniform(1000), { maxLength: 5 }), []), {
  maxLength: 6,
  size: 'max',
});

function sendOf(items: readonly Item[], places: readonly number[]): Send {
  const text = items.map((item) => item.text).join('');
  const expected = items.flatMap((item) => item.expected ?? []);
  const ends = [...places, 1000]
    .sort((a, b) => a - b)
    .map((place) => Math.ceil((text.length * place) / 1000));
  const packets = ends
    .map((end, index) => text.slice(ends[index - 1] ?? 0, end))
    .filter((packet) => packet !== '');
  return { packets, expected: expected.length < items.length ? undefined : expected };
}

function itemOf(request: RequestParts): Item {
  const expected = {
    isHead: request.method === 'HEAD',
    isService: /^\/auth(?:[/?#]|$)/i.test(request.target),
    mayBeLast: mayBeLast(request),
  };
  return { text: renderRequest(request), expected };
}

function withoutFields(request: RequestParts, names: RegExp): RequestParts {
  return { ...request, fields: request.fields.filter(([name]) => !names.test(name)) };
}

function mayBeLast({ fields }: RequestParts): boolean {
  return fields.some(([name]) => /^(expect|upgrade)$/i.test(name));
}

/** Mutations of bytes that are known to break parsers. */
const mutations: Arbitrary<(text: string) => string> = fc
  .tuple(
    fc.nat(),
    weighted([6, fc.constant(1)], [3, uniform(11)], [1, uniform(199)]),
    weighted<(part: string) => string>(
      [1, pick('', ...odd.oddBytes).map((byte) => () => byte)],
      [
        2,
        pick(
          ...odd.oddBytes,
          ...odd.insertions,
          'x'.repeat(17_000),
          'X-Many: x\r\n'.repeat(3000),
        ).map((piece) => (part: string) => piece + part),
      ],
      [1, uniform(39).map((times) => (part: string) => part.repeat(times))],
      [
        1,
        fc
          .array(uniform(255), { maxLength: 200 })
          .map((codes) => () => String.fromCharCode(...codes)),
      ],
    ),
    sometimes(20, pick('cut', '\n', '\r', '\r\r\n', ' \r\n', '\r\n '), ''),
  )
  .map(([place, length, change, whole]) => (text) => {
    const at = place % (text.length + 1);
    if (whole === 'cut') return text.slice(0, at);
    if (whole !== '') return text.replace(/\r\n/g, whole);
    return text.slice(0, at) + change(text.slice(at, at + length)) + text.slice(at + length);
  });
