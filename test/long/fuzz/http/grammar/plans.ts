import type { Random } from '../../random.ts';
import { type ModelContext, type Prediction, predictResponse } from '../model.ts';
import type { Item, Plan, Send } from '../plan.ts';
import { type Field, mayCloseConnection, type RequestParts, renderRequest } from '../request.ts';
import { Fields } from './fields.ts';
import { malformedRequest } from './malformed-requests.ts';
import { mutateBytes } from './mutate-bytes.ts';
import { Targets } from './targets.ts';

/** The size of request line and header fields in bytes that a server must accept. */
const maxHeadLength = 15_000;

/** The most pipelined requests: a gateway accepts 64, and counts a request a moment longer than its response takes. */
const maxPipelined = 24;

/** Creates the plan of one connection. */
export function makePlan(random: Random, context: ModelContext): Plan {
  const ending = random.weighted<EndingName>([
    [40, 'wild'],
    [20, 'malformed'],
    [12, 'last'],
    [8, 'method'],
    [5, 'finish'],
    [5, 'half-close'],
    [10, 'cut'],
  ]);
  const builder = new PlanBuilder(random, context, ending !== 'cut' && ending !== 'half-close');
  const sends = Array.from(
    {
      length: random.weighted([
        [3, 0],
        [6, 1],
        [3, 2],
        [1, 5],
      ]),
    },
    () =>
      builder.send(
        builder.requests(
          random.weighted([
            [5, 1],
            [4, random.between(2, 6)],
            [1, random.between(7, maxPipelined)],
          ]),
        ),
      ),
  );
  const [lastItems, way] = endings[ending];
  return { sends: [...sends, builder.send(lastItems(builder))], ending: way };
}

type EndingName = 'wild' | 'malformed' | 'last' | 'method' | 'finish' | 'half-close' | 'cut';

/** The last items of a connection, and how the connection ends. */
const endings: Readonly<
  Record<EndingName, readonly [items: (builder: PlanBuilder) => readonly Item[], ending: Plan['ending']]>
> = {
  wild: [(builder) => [builder.wild()], 'half-close'],
  malformed: [(builder) => [builder.malformed()], 'closes'],
  last: [(builder) => [builder.last()], 'closes'],
  method: [(builder) => [builder.unknownMethod()], 'closes'],
  finish: [(builder) => [builder.withAnyTarget()], 'finish'],
  'half-close': [(builder) => builder.requests(3), 'half-close'],
  cut: [(builder) => [builder.cut()], 'cut'],
};

/** Creates the parts of a plan. */
class PlanBuilder {
  readonly #random: Random;
  readonly #context: ModelContext;
  readonly #targets: Targets;
  readonly #fields: Fields;

  constructor(random: Random, context: ModelContext, mayCount: boolean) {
    this.#random = random;
    this.#context = context;
    this.#targets = new Targets(random, context.release);
    this.#fields = new Fields(random, context, mayCount);
  }

  send(items: readonly Item[]): Send {
    const random = this.#random;
    const length = items.reduce((sum, { text }) => sum + text.length, 0);
    const count = random.chance(0.2) ? random.between(1, 5) : 0;
    const splits = Array.from({ length: count }, () => random.below(length + 1)).sort((a, b) => a - b);
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
    const random = this.#random;
    const request = this.#request(this.#targets.path());
    const host = request.fields.filter(([name]) => name.toLowerCase() !== 'connection');
    const closing = random.pick<() => RequestParts>([
      () => ({
        ...request,
        fields: [...host, ['Connection', random.pick(['close', 'Close', 'te, close', 'close, x'])]],
      }),
      () => ({ ...request, version: 'HTTP/1.0', fields: host }),
      () => ({
        ...request,
        version: 'HTTP/1.0',
        fields: host.filter(([name]) => name.toLowerCase() !== 'host'),
      }),
    ])();
    const item = this.#item(closing);
    return isShortEnough(item.text) && isOriginForm(closing.target) ? item : this.last();
  }

  /** A request without a clear end. */
  malformed(): Item {
    const { method, target, version, fields } = this.#request(this.#targets.path());
    if (!isOriginForm(target) || method === 'HEAD') return this.malformed();
    const head = renderRequest({
      method,
      target,
      version,
      fields: fields.filter(isNotFraming),
      body: '',
    }).slice(0, -4);
    if (!isShortEnough(`${head}\r\n\r\n`)) return this.malformed();
    const text = malformedRequest(this.#random, head);
    return { text, prediction: this.#statuses(text, method === 'GET' ? [400] : [400, 405]) };
  }

  /** A request with a method that Node's parser does not know. */
  unknownMethod(): Item {
    const request = { ...this.#request(this.#targets.path()), method: this.#random.pick(unknownMethods) };
    const text = renderRequest(request);
    return { text, prediction: this.#statuses(text, [405]) };
  }

  /** Mutated requests, for which there is no prediction. */
  wild(): Item {
    const random = this.#random;
    const requests = Array.from(
      {
        length: random.weighted([
          [6, 1],
          [2, 2],
          [1, 3],
        ]),
      },
      () => renderRequest(this.#request(this.#targets.any())),
    );
    return {
      text: mutateBytes(random, requests.join('')).replaceAll(
        this.#context.keys.counted,
        this.#context.keys.live,
      ),
    };
  }

  /** A truncated request. */
  cut(): Item {
    const text = renderRequest(this.#request(this.#targets.any()));
    return { text: text.slice(0, this.#random.below(text.length + 1)) };
  }

  #item(request: RequestParts): Item {
    const prefix = this.#random.chance(0.02) ? '\r\n' : '';
    return { text: prefix + renderRequest(request), prediction: predictResponse(request, this.#context) };
  }

  #request(target: string): RequestParts {
    const random = this.#random;
    const method = random.weighted([
      [85, 'GET'],
      [6, 'HEAD'],
      [3, 'OPTIONS'],
      [6, random.pick(knownMethods)],
    ]);
    const fields = this.#fields.any();
    const [framing, body] = random.chance(0.06) ? random.pick(bodies) : [[], ''];
    if (random.chance(0.01)) fields.push(['Host', 'elsewhere']);
    if (random.chance(0.01)) fields.splice(0, 1);
    const request = { method, target, version: 'HTTP/1.1', fields: [...fields, ...framing], body };
    const said = random.chance(0.1) ? predictResponse(request, this.#context) : undefined;
    if (said?.kind !== 'resource') return request;
    const { etag } = random.pick(said.served);
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

const knownMethods = [
  'POST',
  'PUT',
  'DELETE',
  'PATCH',
  'TRACE',
  'PROPFIND',
  'PURGE',
  'M-SEARCH',
  'LOCK',
  'SEARCH',
  'UNSUBSCRIBE',
];
const unknownMethods = [
  'BREW',
  'get',
  'Get',
  'GETT',
  'GE',
  'G',
  'gET',
  'QQ',
  'OPTION',
  'HEADER',
  "!#$%&'*+-.^_`|~",
  'CONNECTED',
];

/** A body that would be read as a request if a server ignored its framing. */
const inner = 'GET /jeemain HTTP/1.1\r\nHost: localhost\r\n\r\n';
const json: Field = ['Content-Type', 'application/json'];

const bodies: readonly (readonly [fields: readonly Field[], body: string])[] = [
  ...['', 'body', inner, 'x'.repeat(5000)].map((body) => withLength([], body)),
  ...['{"email":"a@b.example","password":"\\u00"}', '{"__proto__":1}', '[', 'null'].map((body) =>
    withLength([json], body),
  ),
  [[['Transfer-Encoding', 'chunked']], '0\r\n\r\n'],
  [[['Transfer-Encoding', 'Chunked']], '4\r\nbody\r\n0\r\n\r\n'],
  [[['Transfer-Encoding', 'chunked']], '0004;name=value\r\nbody\r\n0\r\nX-Trailer: x\r\n\r\n'],
  [[['Transfer-Encoding', 'chunked']], `${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`],
];

function withLength(fields: readonly Field[], body: string): readonly [readonly Field[], string] {
  return [[...fields, ['Content-Length', String(body.length)]], body];
}
