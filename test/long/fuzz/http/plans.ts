/** What is sent on one connection: well-formed requests, and a last send after which the connection must close. */
import fc, { type Arbitrary } from 'fast-check';
import { sometimes, uniform, weighted } from '../arbitraries.ts';
import { type ModelContext, type Prediction, predictResponse, rejectedWith } from './model.ts';
import odd from './odd-requests.json' with { type: 'json' };
import { type RequestParts, renderRequest } from './request.ts';
import {
  type FramedBody,
  framedBody,
  malformedChunks,
  paths,
  requestTo,
  targets,
} from './requests.ts';

/** Bytes (latin1) that are sent together. The next send waits for their responses. */
export interface Send {
  readonly packets: readonly string[];
  /** The expected responses; undefined if any valid response is accepted. */
  readonly expected: readonly Prediction[] | undefined;
}

/** Everything that is sent on one connection. */
export interface Plan {
  readonly sends: readonly Send[];
  /**
   * The end of the connection. `finish`: the client closes its side after the last response; `closes`: the server closes
   * the connection at once; `half-close`: the client closes its side and waits for responses; `cut`: the client closes both
   * sides; `reset`: the client resets the connection; `open`: the client does nothing, and the server closes the connection
   * in time; `slow`: the client sends byte by byte meanwhile.
   */
  readonly ending: 'finish' | 'closes' | 'half-close' | 'cut' | 'reset' | 'open' | 'slow';
  /** Bytes that the client reads before `cut` and `reset`, at least. */
  readonly read: number;
}

/** One request, or bytes that resemble requests. */
interface Item {
  readonly text: string;
  /** Undefined if any valid response is accepted. */
  readonly prediction?: Prediction;
}

/** The size of request line and header fields in bytes that a server must accept. */
const maxHeadLength = 15_000;
/** The most pipelined requests: a gateway accepts 64, and counts a request a moment longer than its response takes. */
const maxPipelined = 24;
/** Bytes that every response has, at least. */
const shortResponse = 150;

const pick = fc.constantFrom;

/** The plan of one connection. */
export function plans(context: ModelContext): Arbitrary<Plan> {
  const path = paths(context.release);
  const anyTarget = targets(context.release);
  const itemOf = (request: RequestParts): Item => ({
    text: renderRequest(request),
    prediction: predictResponse(request, context),
  });
  const toPath = requestTo(path, context).filter(
    (request) => isShortEnough(request) && isOriginForm(request.target),
  );
  /** Whose method and length every server accepts, and whose response has a body. */
  const bare = toPath
    .filter(({ method }) => method !== 'HEAD')
    .map((request) => {
      const fields = request.fields.filter(
        ([name]) => !/^(content-length|transfer-encoding)$/i.test(name),
      );
      return { ...request, fields, body: '' };
    });
  const withBody = (bodies: Arbitrary<FramedBody>) =>
    fc.tuple(bare, bodies).map(([request, { fields, bytes }]): RequestParts => {
      const others = request.fields.filter(([name]) => !/^content-type$/i.test(name));
      return { ...request, fields: [...others, ...fields], body: bytes };
    });
  /** Requests after which the connection stays open: after Expect or Upgrade, a server may close it. */
  const requests = (minLength: number, maxLength: number) =>
    fc.array(toPath, { minLength, maxLength, size: 'max' }).map((all) => {
      const asking = all.findIndex(mayCloseConnection);
      return all.slice(0, asking < 0 ? undefined : asking + 1).map(itemOf);
    });
  const one = (items: Arbitrary<Item>) => items.map((item) => [item]);
  const rejected = (texts: Arbitrary<string>, statuses: readonly number[]) =>
    one(texts.map((text) => ({ text, prediction: rejectedWith(statuses) })));

  /** A request after which the server closes the connection. */
  const last = fc
    .tuple(toPath, pick('close', 'Close', 'te, close', 'close, x', 'HTTP/1.0', 'no host'))
    .map(([request, how]) => {
      const fields = request.fields.filter(
        ([name]) => !(how === 'no host' ? /^(connection|host)$/i : /^connection$/i).test(name),
      );
      if (how === 'HTTP/1.0' || how === 'no host')
        return itemOf({ ...request, version: 'HTTP/1.0', fields });
      return itemOf({ ...request, fields: [...fields, ['Connection', how] as const] });
    });
  const malformed = fc
    .tuple(bare, pick(...brokenLines), fc.nat(), pick(...odd.smuggled))
    .map(([request, lines, at, bytes]): Item => {
      const [firstLine = '', ...fields] = renderRequest(request)
        .slice(0, -'\r\n\r\n'.length)
        .split('\r\n');
      fields.splice(at % (fields.length + 1), 0, ...lines);
      // HTTP/1.0 has no transfer codings (6.1).
      const requestLine = lines === oldWithChunks ? firstLine.replace(/1$/, '0') : firstLine;
      const text = `${[requestLine, ...fields].join('\r\n')}\r\n\r\n${bytes}`;
      return { text, prediction: rejectedWith(request.method === 'GET' ? [400] : [400, 405]) };
    });
  const chunks = withBody(malformedChunks()).map((request): Item => {
    const { allowed, ...others } = predictResponse(request, context);
    return {
      text: renderRequest(request),
      prediction: { ...others, allowed: [...allowed, '400'] },
    };
  });
  /** A request with more bytes than its body has, which are no request. */
  const longBody = fc
    .tuple(withBody(framedBody()), pick('}', '"}', 'extra', '0\r\n\r\n', '\0'))
    .map(([request, text]): Item[] => [
      itemOf(request),
      { text, prediction: rejectedWith([400, 405]) },
    ]);
  const version = (versions: readonly string[]) =>
    fc
      .tuple(bare, pick(...versions))
      .map(([request, other]) => renderRequest({ ...request, version: other }));
  /** Requests, the last of which is incomplete. */
  const unfinished = fc
    .tuple(requests(0, 3), fc.oneof(bare, withBody(framedBody())), fc.nat())
    .map(([before, request, length]): Item[] => {
      const text = renderRequest(request).slice(
        0,
        1 + (length % (renderRequest(request).length - 1)),
      );
      const isHeadWhole = text.length >= renderRequest(request).length - request.body.length;
      const { allowed, ...others } = predictResponse(request, context);
      const prediction = isHeadWhole
        ? { ...others, allowed: [...allowed, '400'] }
        : rejectedWith([400]);
      const isLast = before.some(
        (item) => item.prediction?.request && mayCloseConnection(item.prediction.request),
      );
      return isLast ? before : [...before, { text, prediction }];
    });
  const anyRequest = requestTo(anyTarget, context).map(renderRequest);
  /** The first bytes of a request, or all. */
  const part = fc
    .tuple(fc.oneof(withBody(framedBody()).map(renderRequest), anyRequest), uniform(1000))
    .map(
      ([text, share]): Item => ({ text: text.slice(0, Math.ceil((text.length * share) / 1000)) }),
    );
  const wild = fc
    .tuple(
      fc.array(anyRequest, { minLength: 1, maxLength: 3 }),
      fc.array(mutations, { minLength: 1, maxLength: 12 }),
    )
    .map(
      ([all, changes]): Item => ({
        text: changes.reduce((text, change) => change(text), all.join('')),
      }),
    );
  const silent = fc
    .tuple(requests(0, 2), part)
    .map(([before, end]): Item[] => [...before.map(({ text }) => ({ text })), end]);

  const ends = (
    weight: number,
    items: Arbitrary<readonly Item[]>,
    ...endings: readonly Plan['ending'][]
  ) =>
    [
      weight,
      fc.record({ items, ending: pick(...endings), read: uniform(shortResponse - 1) }),
    ] as const;
  const end = weighted(
    ends(60, one(wild), 'half-close'),
    ends(30, one(malformed), 'closes'),
    ends(8, one(chunks), 'closes'),
    ends(8, longBody, 'closes'),
    ends(18, one(last), 'closes'),
    ends(
      12,
      rejected(
        fc
          .tuple(toPath, pick(...odd.unknownMethods))
          .map(([request, method]) => renderRequest({ ...request, method })),
        [405],
      ),
      'closes',
    ),
    ends(6, rejected(version(odd.otherVersions), [505]), 'closes'),
    ends(2, rejected(version(odd.invalidVersions), [400]), 'closes'),
    ends(8, one(requestTo(anyTarget, context).filter(isShortEnough).map(itemOf)), 'finish'),
    ends(8, requests(0, 3), 'half-close'),
    ends(10, unfinished, 'half-close'),
    ends(16, one(part), 'cut', 'reset'),
    ends(8, requests(1, 6), 'cut', 'reset'),
    ends(2, silent, 'open', 'slow'),
  );
  const before = fc.array(weighted([9, requests(1, 6)], [1, requests(7, maxPipelined)]), {
    maxLength: 5,
  });
  return fc.tuple(before, end, splits).map(([batches, { items, ending, read }, places]): Plan => {
    const sends = [...batches, items].map((all, index) => sendOf(all, places[index] ?? []));
    // Unpredicted bytes may have no response.
    return { sends, ending, read: items.every(({ prediction }) => prediction) ? read : 0 };
  });
}

/** Where each send is split into packets, in thousandths of its length. */
const splits = fc.array(
  sometimes(20, fc.array(uniform(1000), { minLength: 1, maxLength: 5 }), []),
  {
    maxLength: 6,
    size: 'max',
  },
);

function sendOf(items: readonly Item[], places: readonly number[]): Send {
  const text = items.map((item) => item.text).join('');
  const expected = items.flatMap(({ prediction }) => prediction ?? []);
  const ends = [...places, 1000]
    .sort((a, b) => a - b)
    .map((place) => Math.ceil((text.length * place) / 1000));
  const packets = ends
    .map((end, index) => text.slice(ends[index - 1] ?? 0, end))
    .filter((packet) => packet !== '');
  return { packets, expected: expected.length < items.length ? undefined : expected };
}

/** Whether a request has Expect or Upgrade, after which a server may close the connection. */
export function mayCloseConnection({ fields }: RequestParts): boolean {
  return fields.some(([name]) => /^(expect|upgrade)$/i.test(name));
}

/** Whether the header is short enough for every server. */
function isShortEnough(request: RequestParts): boolean {
  return renderRequest({ ...request, body: '' }).length < maxHeadLength;
}

/** Whether a target is in origin-form, with valid characters only. */
function isOriginForm(target: string): boolean {
  return /^\/[!$-;=?-Z[\]_a-z~]*$/.test(target);
}

/** Whether Node's parser rejects names with a space, and empty ones. The one of Node 20.19.0 does so only in framing fields. */
const isStrict = Number.parseInt(process.versions['llhttp'] ?? '', 10) >= 9;

const oldWithChunks = ['Transfer-Encoding: chunked'];

/** Field lines that make a request malformed, as its end or its host is unclear (RFC 9112). */
const brokenLines: readonly (readonly string[])[] = [
  ...[oldWithChunks, ...odd.brokenLines],
  ...(isStrict ? [['Host : elsewhere'], ['X-Space : x'], [': nameless']] : []),
];

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
        uniform(7).map(
          (bit) => (part: string) =>
            String.fromCharCode((part.charCodeAt(0) || 0) ^ (1 << bit)) + part.slice(1),
        ),
      ],
      [
        1,
        fc
          .array(uniform(255), { maxLength: 200 })
          .map((codes) => () => String.fromCharCode(...codes)),
      ],
    ),
    sometimes(20, pick('cut', 'rotate', '\n', '\r', '\r\r\n', ' \r\n', '\r\n '), ''),
  )
  .map(([place, length, change, whole]) => (text) => {
    const at = place % (text.length + 1);
    const before = text.slice(0, at);
    const part = text.slice(at, at + length);
    const after = text.slice(at + length);
    if (whole === 'cut') return before;
    if (whole === 'rotate') return after + part + before;
    return whole === '' ? before + change(part) + after : text.replace(/\r\n/g, whole);
  });
