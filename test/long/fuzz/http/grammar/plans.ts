import type { Random } from '../../random.ts';
import { type Known, type Prediction, predicted } from '../model.ts';
import type { Item, Plan, Send } from '../plan.ts';
import { asksBeside, type Field, type RequestParts, rendered } from '../request.ts';
import { Fields } from './fields.ts';
import { refusedRequest } from './refused.ts';
import { Targets } from './targets.ts';
import { spoilt } from './wild.ts';

/** Bytes of request line and header fields that every server here takes; beyond, it may refuse them. */
const surelyTaken = 15_000;

/** Requests that are sent at once, at most: a gateway takes 64, and counts one a moment longer than it is answered. */
const mostAtOnce = 24;

/** Makes all that is sent by one connection. */
export function makePlan(random: Random, known: Known): Plan {
  const ending = random.weighted<EndingName>([
    [40, 'wild'],
    [20, 'refused'],
    [12, 'last'],
    [8, 'method'],
    [5, 'finish'],
    [5, 'half-close'],
    [10, 'cut'],
  ]);
  const maker = new Maker(random, known, ending !== 'cut' && ending !== 'half-close');
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
      maker.send(
        maker.requests(
          random.weighted([
            [5, 1],
            [4, random.between(2, 6)],
            [1, random.between(7, mostAtOnce)],
          ]),
        ),
      ),
  );
  const [lastItems, way] = endings[ending];
  return { sends: [...sends, maker.send(lastItems(maker))], ending: way };
}

type EndingName = 'wild' | 'refused' | 'last' | 'method' | 'finish' | 'half-close' | 'cut';

/** What comes last on a connection, and how that ends then. */
const endings: Readonly<
  Record<EndingName, readonly [items: (maker: Maker) => readonly Item[], ending: Plan['ending']]>
> = {
  wild: [(maker) => [maker.wild()], 'half-close'],
  refused: [(maker) => [maker.refused()], 'closes'],
  last: [(maker) => [maker.last()], 'closes'],
  method: [(maker) => [maker.inventedMethod()], 'closes'],
  finish: [(maker) => [maker.doubtful()], 'finish'],
  'half-close': [(maker) => maker.requests(3), 'half-close'],
  cut: [(maker) => [maker.cut()], 'cut'],
};

/** The parts of a plan. */
class Maker {
  readonly #random: Random;
  readonly #known: Known;
  readonly #targets: Targets;
  readonly #fields: Fields;

  constructor(random: Random, known: Known, mayCount: boolean) {
    this.#random = random;
    this.#known = known;
    this.#targets = new Targets(random, known.release);
    this.#fields = new Fields(random, known, mayCount);
  }

  send(items: readonly Item[]): Send {
    const random = this.#random;
    const length = items.reduce((sum, { text }) => sum + text.length, 0);
    const count = random.chance(0.2) ? random.between(1, 5) : 0;
    const splits = Array.from({ length: count }, () => random.below(length + 1)).sort((a, b) => a - b);
    return { items, splits };
  }

  /** Requests after which the connection goes on. */
  requests(count: number): Item[] {
    const items = Array.from({ length: count }, () => this.#item(this.#request(this.#targets.path())));
    const whole = items.filter(
      ({ text, prediction }) => prediction && isTaken(text) && isClean(prediction.request.target),
    );
    // Where a server is asked for something beside, it may close when it has answered.
    const asking = whole.findIndex(({ prediction }) => prediction && asksBeside(prediction.request));
    return asking < 0 ? whole : whole.slice(0, asking + 1);
  }

  /** A request with a target of any form, after which the connection may be closed. */
  doubtful(): Item {
    const item = this.#item(this.#request(this.#targets.any()));
    return isTaken(item.text) ? item : this.doubtful();
  }

  /** A request after which the server closes. */
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
    return isTaken(item.text) && isClean(closing.target) ? item : this.last();
  }

  /** A request of which it cannot be said where it ends. */
  refused(): Item {
    const { method, target, version, fields } = this.#request(this.#targets.path());
    if (!isClean(target) || method === 'HEAD') return this.refused();
    const head = rendered({ method, target, version, fields: fields.filter(isNoFrame), body: '' }).slice(
      0,
      -4,
    );
    if (!isTaken(`${head}\r\n\r\n`)) return this.refused();
    const text = refusedRequest(this.#random, head);
    return { text, prediction: this.#statuses(text, method === 'GET' ? [400] : [400, 405]) };
  }

  /** A word that is no method of Node's parser. */
  inventedMethod(): Item {
    const request = { ...this.#request(this.#targets.path()), method: this.#random.pick(inventedMethods) };
    const text = rendered(request);
    return { text, prediction: this.#statuses(text, [405]) };
  }

  /** Nothing is known of these bytes but that they looked like requests once. */
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
      () => rendered(this.#request(this.#targets.any())),
    );
    return {
      text: spoilt(random, requests.join('')).replaceAll(this.#known.keys.counted, this.#known.keys.live),
    };
  }

  /** A request that breaks off. */
  cut(): Item {
    const text = rendered(this.#request(this.#targets.any()));
    return { text: text.slice(0, this.#random.below(text.length + 1)) };
  }

  #item(request: RequestParts): Item {
    const prefix = this.#random.chance(0.02) ? '\r\n' : '';
    return { text: prefix + rendered(request), prediction: predicted(request, this.#known) };
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
    const said = random.chance(0.1) ? predicted(request, this.#known) : undefined;
    if (said?.kind !== 'resource') return request;
    const { etag } = random.pick(said.served);
    return { ...request, fields: [...request.fields.filter(isNoCondition), ['If-None-Match', etag]] };
  }

  #statuses(text: string, statuses: readonly number[]): Prediction {
    const request = { method: 'GET', target: '', version: '', fields: [], body: text };
    return { kind: 'refused', statuses, request, mayBeLimited: false, mayBeMalformed: false };
  }
}

/** Whether the header is of a length that is surely taken. */
function isTaken(text: string): boolean {
  const end = text.indexOf('\r\n\r\n', 2);
  return end < surelyTaken;
}

/** Whether a target is an origin-form that every parser hands on. */
function isClean(target: string): boolean {
  return /^\/[!$-;=?-Z[\]_a-z~]*$/.test(target);
}

function isNoFrame([name]: Field): boolean {
  return !/^(content-length|transfer-encoding)$/i.test(name);
}

function isNoCondition([name]: Field): boolean {
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
const inventedMethods = [
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

/** What a server that loses count would take for a request. */
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
