import { type Draw, words } from '../../draw.ts';
import { type ModelContext, type Prediction, predictResponse } from '../model.ts';
import type { Item, Plan, Send } from '../request.ts';
import { type Field, mayCloseConnection, type RequestParts, renderRequest } from '../request.ts';
import { anyBody, type FramedBody, malformedChunks } from './bodies.ts';
import { Fields } from './fields.ts';
import { malformedRequest, mutateBytes } from './malformed.ts';
import { Targets } from './targets.ts';

/** The size of request line and header fields in bytes that a server must accept. */
const maxHeadLength = 15_000;

/** The most pipelined requests: a gateway accepts 64, and counts a request a moment longer than its response takes. */
const maxPipelined = 24;

/** Bytes that every response has, at least. */
const shortResponse = 150;

/** Creates the plan of one connection. */
export function makePlan(draw: Draw, context: ModelContext): Plan {
  const ending = draw.weighted<EndingName>([
    [60, 'wild'],
    [30, 'malformed'],
    [8, 'chunks'],
    [8, 'longBody'],
    [18, 'last'],
    [12, 'method'],
    [8, 'version'],
    [8, 'finish'],
    [8, 'halfClose'],
    [10, 'unfinished'],
    [8, 'cut'],
    [8, 'reset'],
    [8, 'unread'],
    [2, 'open'],
  ]);
  const { items: lastItems, mayCount = false, ...end }: Ending = endings[ending](draw);
  const builder = new PlanBuilder(draw, context, mayCount);
  const sends = Array.from(
    {
      length: draw.weighted([
        [3, 0],
        [6, 1],
        [3, 2],
        [1, 5],
      ]),
    },
    () =>
      builder.send(
        builder.requests(
          draw.weighted([
            [5, 1],
            [4, draw.between(2, 6)],
            [1, draw.between(7, maxPipelined)],
          ]),
        ),
      ),
  );
  return { sends: [...sends, builder.send(lastItems(builder))], ...end };
}

type EndingName = keyof typeof endings;

interface Ending extends Omit<Plan, 'sends'> {
  /** The last items of the connection. */
  readonly items: (builder: PlanBuilder) => readonly Item[];
  /** Whether the client reads every response, so that requests that count towards a quota can be counted. */
  readonly mayCount?: boolean;
}

/** How a connection ends. */
const endings = {
  wild: () => ({ items: (builder) => [builder.wild()], ending: 'half-close', mayCount: true }),
  malformed: () => ({ items: (builder) => [builder.malformed()], ending: 'closes', mayCount: true }),
  chunks: () => ({ items: (builder) => [builder.malformedChunks()], ending: 'closes' }),
  longBody: () => ({ items: (builder) => builder.longBody(), ending: 'closes', mayCount: true }),
  last: () => ({ items: (builder) => [builder.last()], ending: 'closes', mayCount: true }),
  method: () => ({ items: (builder) => [builder.unknownMethod()], ending: 'closes', mayCount: true }),
  version: () => ({ items: (builder) => [builder.otherVersion()], ending: 'closes', mayCount: true }),
  finish: () => ({ items: (builder) => [builder.withAnyTarget()], ending: 'finish', mayCount: true }),
  halfClose: () => ({ items: (builder) => builder.requests(3), ending: 'half-close' }),
  unfinished: () => ({ items: (builder) => builder.unfinished(), ending: 'half-close' }),
  cut: () => ({ items: (builder) => [builder.part()], ending: 'cut' }),
  reset: () => ({ items: (builder) => [builder.part()], ending: 'reset' }),
  unread: (draw) => ({
    items: (builder) => builder.requests(6),
    ending: draw.pick(['cut', 'reset']),
    read: draw.below(shortResponse),
  }),
  open: (draw) => ({
    items: (builder) => [...builder.requests(draw.below(3)).map(({ text }) => ({ text })), builder.part()],
    ending: 'open',
    ...(draw.chance(0.5) && { slow: 'x'.repeat(100) }),
  }),
} satisfies Record<string, (draw: Draw) => Ending>;

/** Creates the parts of a plan. */
class PlanBuilder {
  readonly #draw: Draw;
  readonly #context: ModelContext;
  readonly #targets: Targets;
  readonly #fields: Fields;

  constructor(draw: Draw, context: ModelContext, mayCount: boolean) {
    this.#draw = draw;
    this.#context = context;
    this.#targets = new Targets(draw, context.release);
    this.#fields = new Fields(draw, context, mayCount);
  }

  send(items: readonly Item[]): Send {
    const draw = this.#draw;
    const length = items.reduce((sum, { text }) => sum + text.length, 0);
    const count = draw.chance(0.2) ? draw.between(1, 5) : 0;
    const splits = Array.from({ length: count }, () => draw.below(length + 1)).sort((a, b) => a - b);
    return { items, splits };
  }

  /** Requests after which the connection stays open. */
  requests(count: number): Item[] {
    const items = Array.from({ length: count }, () => this.#item(this.#request(this.#targets.path())));
    const whole = items.filter(
      ({ text, prediction }) => prediction && isShortEnough(text) && isOriginForm(prediction.request.target),
    );
    // After Expect or Upgrade, a server may close the connection.
    const asking = whole.findIndex(({ prediction }) => prediction && mayCloseConnection(prediction.request));
    return asking < 0 ? whole : whole.slice(0, asking + 1);
  }

  /** A request with any form of target, after which the server may close the connection. */
  withAnyTarget(): Item {
    const item = this.#item(this.#request(this.#targets.any()));
    return isShortEnough(item.text) ? item : this.withAnyTarget();
  }

  /** A request after which the server closes the connection. */
  last(): Item {
    const draw = this.#draw;
    const request = this.#request(this.#targets.path());
    const host = request.fields.filter(([name]) => name.toLowerCase() !== 'connection');
    const closing = draw.pick<() => RequestParts>([
      () => ({ ...request, fields: [...host, ['Connection', draw.pick(['close', 'Close', 'te, close', 'close, x'])]] }),
      () => ({ ...request, version: 'HTTP/1.0', fields: host }),
      () => ({ ...request, version: 'HTTP/1.0', fields: host.filter(([name]) => name.toLowerCase() !== 'host') }),
    ])();
    const item = this.#item(closing);
    return isShortEnough(item.text) && isOriginForm(closing.target) ? item : this.last();
  }

  /** A request without a clear end. */
  malformed(): Item {
    const request = this.#withoutBody();
    const text = malformedRequest(this.#draw, renderRequest(request).slice(0, -'\r\n\r\n'.length));
    return { text, prediction: this.#statuses(text, request.method === 'GET' ? [400] : [400, 405]) };
  }

  /** A request with a method that Node's parser does not know. */
  unknownMethod(): Item {
    const request = { ...this.#request(this.#targets.path()), method: this.#draw.pick(unknownMethods) };
    const text = renderRequest(request);
    return { text, prediction: this.#statuses(text, [405]) };
  }

  /** Mutated requests, for which there is no prediction. */
  wild(): Item {
    const draw = this.#draw;
    const requests = Array.from(
      {
        length: draw.weighted([
          [6, 1],
          [2, 2],
          [1, 3],
        ]),
      },
      () => renderRequest(this.#request(this.#targets.any())),
    );
    return {
      text: mutateBytes(draw, requests.join('')).replaceAll(this.#context.keys.counted, this.#context.keys.live),
    };
  }

  /** A request with a malformed chunk, to which the server may have responded before. */
  malformedChunks(): Item {
    const request = this.#framed(malformedChunks(this.#draw));
    return { text: renderRequest(request), prediction: this.#mayBeMalformed(request) };
  }

  /** A request with more bytes than its body has, which are no request. */
  longBody(): Item[] {
    const draw = this.#draw;
    const item = this.#item(this.#framed(anyBody(draw)));
    const text = draw.pick(['}', '"}', 'extra', '0\r\n\r\n', '\0']);
    return [item, { text, prediction: this.#statuses(text, [400, 405]) }];
  }

  /** A request of an HTTP version that the server does not support, or that is none. */
  otherVersion(): Item {
    const draw = this.#draw;
    const isWellFormed = draw.chance(0.7);
    const version = draw.pick(isWellFormed ? otherVersions : invalidVersions);
    const text = renderRequest({ ...this.#withoutBody(), version });
    return { text, prediction: this.#statuses(text, [isWellFormed ? 505 : 400]) };
  }

  /** Requests, the last of which is incomplete. */
  unfinished(): Item[] {
    const draw = this.#draw;
    const before = this.requests(draw.below(4)).filter(
      ({ prediction }) => prediction && !mayCloseConnection(prediction.request),
    );
    const request = draw.chance(0.5) ? this.#framed(anyBody(draw)) : this.#withoutBody();
    const whole = renderRequest(request);
    const text = whole.slice(0, draw.between(1, whole.length - 1));
    const isHeadWhole = text.length >= whole.length - request.body.length;
    return [...before, { text, prediction: isHeadWhole ? this.#mayBeMalformed(request) : this.#statuses(text, [400]) }];
  }

  /** The first bytes of a request, or all. */
  part(): Item {
    const draw = this.#draw;
    const request = draw.chance(0.5) ? this.#framed(anyBody(draw)) : this.#request(this.#targets.any());
    const text = renderRequest(request);
    return { text: text.slice(0, draw.below(text.length + 1)) };
  }

  #mayBeMalformed(request: RequestParts): Prediction {
    return { ...predictResponse(request, this.#context), mayBeMalformed: true };
  }

  /** A request without a body, whose method, target and length every server accepts, and whose response has a body. */
  #withoutBody(): RequestParts {
    const request = this.#request(this.#targets.path());
    const fields = request.fields.filter(isNotFraming);
    const isRead = isOriginForm(request.target) && isShortEnough(renderRequest(request));
    return isRead && request.method !== 'HEAD' ? { ...request, fields, body: '' } : this.#withoutBody();
  }

  #framed({ fields, bytes }: FramedBody): RequestParts {
    const request = this.#withoutBody();
    const others = request.fields.filter(([name]) => !/^content-type$/i.test(name));
    return { ...request, fields: [...others, ...fields], body: bytes };
  }

  #item(request: RequestParts): Item {
    const prefix = this.#draw.chance(0.02) ? '\r\n' : '';
    return { text: prefix + renderRequest(request), prediction: predictResponse(request, this.#context) };
  }

  #request(target: string): RequestParts {
    const draw = this.#draw;
    const isService = target.startsWith('/auth/');
    const method = draw.weighted([
      [isService ? 20 : 85, 'GET'],
      [isService ? 70 : 1, 'POST'],
      [6, 'HEAD'],
      [3, 'OPTIONS'],
      [6, draw.pick(knownMethods)],
    ]);
    const fields = this.#fields.any();
    const body = draw.chance(isService ? 0.8 : 0.06) ? anyBody(draw) : undefined;
    if (draw.chance(0.01)) fields.push(['Host', 'elsewhere']);
    if (draw.chance(0.01)) fields.splice(0, 1);
    const request = {
      method,
      target,
      version: 'HTTP/1.1',
      fields: [...fields, ...(body?.fields ?? [])],
      body: body?.bytes ?? '',
    };
    const said = draw.chance(0.1) ? predictResponse(request, this.#context) : undefined;
    if (said?.kind !== 'resource') return request;
    const { etag } = draw.pick(said.served);
    return { ...request, fields: [...request.fields.filter(isNotCondition), ['If-None-Match', etag]] };
  }

  #statuses(text: string, statuses: readonly number[]): Prediction {
    const request = { method: 'GET', target: '', version: '', fields: [], body: text };
    return { kind: 'rejected', statuses, request, mayBeLimited: false, mayBeMalformed: false };
  }
}

/** Whether the header is short enough for every server. */
function isShortEnough(text: string): boolean {
  const end = text.indexOf('\r\n\r\n', 2);
  return end < maxHeadLength;
}

/** Whether a target is in origin-form, with valid characters only. */
function isOriginForm(target: string): boolean {
  return /^\/[!$-;=?-Z[\]_a-z~]*$/.test(target);
}

function isNotFraming([name]: Field): boolean {
  return !/^(content-length|transfer-encoding)$/i.test(name);
}

function isNotCondition([name]: Field): boolean {
  return name.toLowerCase() !== 'if-none-match';
}

const knownMethods = words(`
  POST PUT DELETE PATCH TRACE PROPFIND PURGE M-SEARCH LOCK SEARCH UNSUBSCRIBE
`);
const unknownMethods = [
  ...words(`
    BREW get Get GETT GE G gET QQ OPTION HEADER CONNECTED
  `),
  "!#$%&'*+-.^_`|~",
];
const otherVersions = ['HTTP/0.9', 'HTTP/1.2', 'HTTP/1.9', 'HTTP/2.0', 'HTTP/3.0', 'HTTP/9.9', 'HTTP/0.0'];
const invalidVersions = words(`
  HTTP/1 HTTP/x.y HTTP/1.1.1 HTTP/11.1 http/1.1 HTTP/ HTP/1.1 HTTP/1,1
`);
