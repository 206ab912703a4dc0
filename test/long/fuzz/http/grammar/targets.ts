import { type Draw, words } from '../../draw.ts';
import type { StoredRelease } from '../stored-release.ts';

/** Draw targets, mostly of resources of a release. */
export class Targets {
  readonly #draw: Draw;
  readonly #release: StoredRelease;
  readonly #open: readonly string[];
  readonly #closed: readonly string[];

  constructor(draw: Draw, release: StoredRelease) {
    this.#draw = draw;
    this.#release = release;
    this.#open = [...release.resources.public.keys()];
    this.#closed = [...release.resources.protected.keys()];
  }

  /** A target in any form, valid or invalid. */
  any(): string {
    const draw = this.#draw;
    const path = this.path();
    return draw.weighted([
      [88, () => path],
      [8, () => `${draw.pick(schemes)}${draw.pick(authorities)}${path}`],
      [2, () => `${draw.pick(['http://localhost', 'https://localhost:8443'])}${path.replace('/', '?')}`],
      [1, () => draw.pick(['http://', 'https://x:1', 'ftp://localhost/', 'http:/neet', 'http:neet', '//', '///'])],
      [1, () => `/${path}`],
    ])();
  }

  /** A target in origin-form. */
  path(): string {
    const draw = this.#draw;
    const segments = this.#segments();
    const changed = draw.chance(0.4) ? this.#changed(segments) : segments;
    const path = `/${changed.join('/')}${draw.chance(0.1) ? '/' : ''}`;
    return `${path}${draw.chance(0.12) ? this.#query() : ''}`;
  }

  #segments(): string[] {
    const draw = this.#draw;
    return draw.weighted([
      [45, () => this.#aliased(draw.pick(this.#closed).split('/'))],
      [35, () => draw.pick(this.#open).split('/')],
      [8, () => [draw.pick(exams), draw.pick(years)]],
      [8, () => [draw.pick(exams), draw.pick(years), draw.pick(shifts), draw.pick(files)]],
      [8, () => ['auth', ...draw.pick(authPaths).split('/')]],
      [1, () => [draw.pick(names)]],
      [1, () => Array.from({ length: draw.below(9) }, () => draw.pick(names))],
    ])();
  }

  /** Replaces the name of the shift by an alias. */
  #aliased([exam = '', year = '', shift = '', ...rest]: readonly string[]): string[] {
    const draw = this.#draw;
    const number = (this.#release.shifts.get(exam)?.get(year) ?? []).indexOf(shift) + 1;
    const alias = draw.weighted([
      [4, () => shift],
      [4, () => `s${number}`],
      [2, () => shift.slice(0, draw.between(1, shift.length))],
      [2, () => shift.slice(5, 5 + draw.between(1, shift.length - 5))],
      [1, () => draw.pick(shifts)],
    ])();
    return [exam, year, alias, ...rest];
  }

  #changed(segments: readonly string[]): string[] {
    const draw = this.#draw;
    const changed = [...segments];
    const at = draw.below(changed.length + 1);
    const segment = changed[at] ?? '';
    const change = draw.weighted<() => void>([
      [6, () => changed.splice(at, 1, encoded(draw, segment, 0.3))],
      [2, () => changed.splice(at, 1, encoded(draw, segment, 1))],
      [3, () => changed.splice(at, 0, draw.pick(dots))],
      [2, () => changed.splice(at, 0, '')],
      [1, () => changed.splice(at, 1, 'a'.repeat(draw.between(1, 9_000)))],
      [3, () => changed.splice(at, 1, inserted(draw, segment, draw.pick(oddOctets)))],
      [2, () => changed.splice(at, 1, inserted(draw, segment, draw.pick(brokenEncodings)))],
      [2, () => changed.splice(at, 1)],
      [2, () => changed.splice(at, 0, segment)],
      [1, () => changed.reverse()],
      [2, () => changed.splice(at, 1, draw.chance(0.5) ? segment.toUpperCase() : segment.slice(0, -1))],
      [2, () => changed.splice(at, 1, inserted(draw, segment, String.fromCharCode(draw.between(0x21, 0x7e))))],
      [1, () => changed.splice(at, 1, draw.pick(names))],
      [1, () => changed.splice(1, 1, draw.pick(years))],
      [1, () => changed.splice(at, 1, segment.replaceAll('.', '%2E'))],
    ]);
    change();
    return changed;
  }

  #query(): string {
    const draw = this.#draw;
    return draw.pick([
      '?',
      '?x=1',
      '?a=/../b',
      '?%',
      '?%ff',
      '??',
      '?key=pfx_',
      `?${'q'.repeat(draw.below(2000))}`,
      '#part',
      '?x#part',
    ]);
  }
}

/** Percent-encodes some characters, in either case of hex. */
function encoded(draw: Draw, text: string, share: number): string {
  return [...text]
    .map((character) => {
      if (!draw.chance(share)) return character;
      const hex = character.charCodeAt(0).toString(16).padStart(2, '0');
      return `%${draw.chance(0.5) ? hex : hex.toUpperCase()}`;
    })
    .join('');
}

function inserted(draw: Draw, text: string, part: string): string {
  const at = draw.below(text.length + 1);
  return text.slice(0, at) + part + text.slice(at);
}

const schemes = ['http://', 'https://', 'HTTP://', 'hTTps://'];
const authorities = [
  ...words(`
    localhost example.org:8080 [::1] 127.0.0.1:1 a-b.c x@y a:b:c [x x:99999
  `),
  '',
];
const exams = ['neet', 'jeemain', 'gate', 'neetjeemain', 'n', 'NEET', 'neet2024'];
const years = words(`
  2024 2023 2025 0000 9999 1 24 02024 20240 2024.0 -2024 +2024 2024%20 %32024 2O24 %EF%BC%92024 0x7e8 2e3
  s1
`);
const shifts = words(`
  s1 s2 s0 s01 s9 s10 S1 s s-1 s1.0 2 20 2024 2024- 2024-05-05 2024-05-05-s10 05 05- 05-05 05-05-s1 05-05-s
  5-5 01-2 01-27-s2 diagrams latest %73%31
`);
const files = words(`
  physics.json chemistry.json biology.json mathematics.json history.json physics Physics.json physics.JSON
  physics.json.br diagrams .json manifest.json physics.json%00.png
`);
const authPaths = [
  ...words(`
    settings keys account sign-in/email sign-up/email sign-out sign-in/social request-password-reset
    reset-password keys/key_1/rotate sessions sessions/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa introspect introspect
    introspect callback/google verify-email get-session .. x/y/z %00 ok error reset-password/x
  `),
  '',
];
const names = [
  ...words(`
    __proto__ constructor toString hasOwnProperty valueOf public protected manifest.json current hosts neet
    docs dashboard auth livez readyz metrics favicon.ico robots.txt .env .git etc passwd ~ - ; @ : = & + * (
    ! ,
  `),
  "'",
  '$',
];
const dots = words(`
  . .. %2e %2E%2e .%2e %2e. ... .%00 ..; ..%2f ..%5c %252e%252e
`);
/** Octets that decode, but are in no name. */
const oddOctets = words(`
  %00 %0d%0a %09 %7f %2f %5c %20 %23 %3f %25 %c2%a0 %e2%80%8b %f0%9f%98%80 %ef%bb%bf %ef%bf%bd
`);
const brokenEncodings = words(`
  % %2 %zz %% %ff %c3%28 %c0%af %ed%a0%80 %f4%90%80%80 %e2%82 %fe %u0041
`);
