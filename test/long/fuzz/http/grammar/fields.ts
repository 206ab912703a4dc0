import { type Draw, words } from '../../draw.ts';
import type { Keys } from '../gateway-under-test.ts';
import type { ModelContext } from '../model.ts';
import type { Field } from '../request.ts';

/** Draw header fields with which a request is well-formed HTTP. */
export class Fields {
  readonly #draw: Draw;
  readonly #context: ModelContext;
  readonly #tags: readonly string[];
  readonly #mayCount: boolean;

  /** @param mayCount whether the request may use the `counted` key */
  constructor(draw: Draw, context: ModelContext, mayCount: boolean) {
    this.#draw = draw;
    this.#context = context;
    this.#tags = [...context.release.byTag.keys()];
    this.#mayCount = mayCount;
  }

  /** All fields of a request, in any order, with names in any case. */
  any(): Field[] {
    const draw = this.#draw;
    const fields: Field[] = [['Host', draw.chance(0.96) ? 'localhost' : draw.pick(hosts)]];
    if (draw.chance(0.9)) fields.push(...this.authorization());
    if (draw.chance(0.4)) fields.push(['Accept-Encoding', this.acceptEncoding()]);
    if (draw.chance(0.3)) fields.push(['If-None-Match', this.ifNoneMatch()]);
    if (draw.chance(0.1)) fields.push(...this.#crossOrigin());
    for (let more = draw.chance(0.3) ? draw.below(5) : 0; more > 0; more -= 1) fields.push(draw.pick(others));
    if (draw.chance(0.02)) fields.push(...this.#many());
    return this.#inAnyForm(fields);
  }

  authorization(): Field[] {
    const draw = this.#draw;
    const { keys } = this.#context;
    const name = draw.weighted<keyof Keys>([
      [12, 'live'],
      [1, 'free'],
      [this.#mayCount ? 1 : 0, 'counted'],
      [1, 'revoked'],
      [1, 'expired'],
      [1, 'blocked'],
      [1, 'unknown'],
      [1, 'misspelt'],
    ]);
    if (draw.chance(0.7)) return [['Authorization', `Bearer ${keys[name]}`]];
    const live = keys.live;
    return draw.pick<() => Field[]>([
      () => [],
      () => [['Authorization', draw.pick(['', 'Bearer', 'bearer', 'Bearer: ', 'Basic', 'Token', 'Bearer,', '"', '='])]],
      () => [
        [
          'Authorization',
          `${draw.pick(['bearer ', 'BEARER ', 'Bearer  ', 'Bearer\t', 'Bearer', 'Basic ', 'Token ', 'Bearer:', 'Bearer =', ''])}${live}`,
        ],
      ],
      () => [
        [
          'Authorization',
          `Bearer ${live}${draw.pick(['=', '==', ' ', ' x', ',', ';', '"', '\u00e9', '%20', '\t', '/', '.'])}`,
        ],
      ],
      () => [['Authorization', `Bearer "${live}"`]],
      () => [['Authorization', `Bearer ${live}, Bearer ${live}`]],
      () => [
        ['Authorization', `Bearer ${live}`],
        ['Authorization', `Bearer ${draw.pick([live, keys.revoked])}`],
      ],
      () => [['Authorization', `Bearer ${this.#token()}`]],
      () => [['Authorization', `Bearer ${live.slice(0, draw.below(live.length))}`]],
      () => [['Authorization', `Bearer ${live.toUpperCase()}`]],
      () => [['X-Authorization', `Bearer ${live}`]],
      () => [['Proxy-Authorization', `Bearer ${live}`]],
    ])();
  }

  acceptEncoding(): string {
    const draw = this.#draw;
    if (draw.chance(0.15)) return draw.pick(oddCodings);
    const item = () => `${draw.pick(codings)}${draw.chance(0.5) ? draw.pick(weights) : ''}`;
    return Array.from({ length: draw.between(1, 4) }, item).join(draw.pick([',', ', ', ' ,\t']));
  }

  ifNoneMatch(): string {
    const draw = this.#draw;
    if (draw.chance(0.2)) return draw.pick(oddTags);
    const tag = () => `${draw.chance(0.2) ? 'W/' : ''}${draw.chance(0.8) ? draw.pick(this.#tags) : '"x"'}`;
    return Array.from(
      {
        length: draw.weighted([
          [6, 1],
          [2, 3],
          [1, 40],
        ]),
      },
      tag,
    ).join(', ');
  }

  #crossOrigin(): Field[] {
    const draw = this.#draw;
    const origin = draw.pick([
      this.#context.corsOrigin,
      'null',
      'https://elsewhere.example',
      '',
      `${this.#context.corsOrigin}/`,
    ]);
    const method: Field = ['Access-Control-Request-Method', draw.pick(['GET', 'POST', ''])];
    return [['Origin', origin], ...(draw.chance(0.5) ? [method] : [])];
  }

  #token(): string {
    const draw = this.#draw;
    const alphabet = 'abcXYZ019-._~+/';
    const length = draw.weighted([
      [6, 20],
      [2, 1],
      [1, 6000],
    ]);
    const token = Array.from({ length }, () => alphabet.charAt(draw.below(alphabet.length))).join('');
    return `${draw.chance(0.5) ? 'pfx_' : ''}${token}${draw.pick(['', '=', '=='])}`;
  }

  #many(): Field[] {
    const count = this.#draw.between(20, 150);
    return Array.from({ length: count }, (_, index): Field => [`X-Many-${index}`, 'x'.repeat(index % 30)]);
  }

  #inAnyForm(fields: readonly Field[]): Field[] {
    const draw = this.#draw;
    const formed = fields.map(([name, value]): Field => {
      const cased = draw.weighted([
        [8, name],
        [1, name.toLowerCase()],
        [1, name.toUpperCase()],
      ]);
      return [cased, draw.chance(0.05) ? `${draw.pick(['\t', '  '])}${value}${draw.pick([' ', '\t '])}` : value];
    });
    return draw.chance(0.1) ? formed.reverse() : formed;
  }
}

const hosts = [
  ...words(`
    example.org example.org:8080 [::1]:80 127.0.0.1 LOCALHOST localhost: x@y x/y " <x> x:y localhost:99999999
  `),
  '',
  'a b',
  'a, b',
];
const codings = ['br', 'gzip', 'identity', '*', 'deflate', 'zstd'];
const weights = [';q=0', ';q=1', ';q=0.5', ';q=0.001', ';q=0.9', '; q=0.8', ';q=1.000', ';q=0.000'];
const oddCodings = [
  ...words(`
    , ; ;; gzip;q gzip;q= gzip;q=2 gzip;q=-1 gzip;q=abc gzip;Q=0.5 BR x-gzip *;q=0 identity;q=0 __proto__
    gzip;level=9 q=1 gzip;q=0.0000001 br;q=NaN
  `),
  '',
  'gzip, gzip;q=0',
  '\u00e9',
  'br gzip',
  ','.repeat(300),
];
const oddTags = [
  ...words(`
    * " "" W/ W/* x "x x" , ,, "*" "a""b" w/"x"
  `),
  '',
  '* ',
  '*, "x"',
  '" "',
  "'x'",
  '\u00ff',
];
const others: readonly Field[] = [
  ['Accept', 'application/xml;q=1'],
  ['Accept', ''],
  ['Accept-Language', 'hi-IN'],
  ['Access-Control-Request-Headers', 'authorization'],
  ['Cache-Control', 'no-cache'],
  ['Connection', 'keep-alive'],
  ['Connection', 'Keep-Alive, x'],
  ['Connection', 'te'],
  ['Content-Type', 'application/json'],
  ['Cookie', 'a=b; __Secure-better-auth.session_token=x'],
  ['Cookie', '\u00e9;;;=;='],
  ['Date', 'yesterday'],
  ['DNT', '1'],
  ['Expect', '100-continue'],
  ['Expect', 'the-unexpected'],
  ['Forwarded', 'for=127.0.0.1;proto=https'],
  ['From', 'x'.repeat(3000)],
  ['If-Match', '"x"'],
  ['If-Modified-Since', 'Fri, 01 Jan 2100 00:00:00 GMT'],
  ['If-Range', '"x"'],
  ['If-Unmodified-Since', 'x'],
  ['Keep-Alive', 'timeout=1000000'],
  ['Max-Forwards', '0'],
  ['Pragma', 'no-cache'],
  ['Proxy-Connection', 'keep-alive'],
  ['Range', 'bytes=0-0'],
  ['Range', 'bytes=0-0,-1'],
  ['Referer', 'http://\u00ff'],
  ['TE', 'trailers'],
  ['Trailer', 'Authorization'],
  ['User-Agent', '() { :; }; echo'],
  ['Upgrade', 'websocket'],
  ['Connection', 'Upgrade'],
  ['Via', '1.1 x'],
  ['X-Empty', ''],
  ['X-Forwarded-For', '1.2.3.4, unknown, ::1'],
  ['X-Forwarded-Host', 'elsewhere.example'],
  ['X-Forwarded-Proto', 'gopher'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['X-Obs', '\u0080\u00ff\t\u00a0'],
  ['X-Original-URL', '/neet/2024/s1/physics.json'],
  ['__proto__', 'x'],
  ['constructor', 'x'],
  ["!#$%&'*+-.^_`|~", 'x'],
];
