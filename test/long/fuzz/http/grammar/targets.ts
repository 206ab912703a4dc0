import type { Random } from '../../random.ts';
import type { StoredRelease } from '../stored-release.ts';

/** Random targets, mostly of resources of a release. */
export class Targets {
  readonly #random: Random;
  readonly #release: StoredRelease;
  readonly #open: readonly string[];
  readonly #closed: readonly string[];

  constructor(random: Random, release: StoredRelease) {
    this.#random = random;
    this.#release = release;
    this.#open = [...release.resources.public.keys()];
    this.#closed = [...release.resources.protected.keys()];
  }

  /** A target in any form, valid or invalid. */
  any(): string {
    const random = this.#random;
    const path = this.path();
    return random.weighted([
      [88, () => path],
      [8, () => `${random.pick(schemes)}${random.pick(authorities)}${path}`],
      [2, () => `${random.pick(['http://localhost', 'https://localhost:8443'])}${path.replace('/', '?')}`],
      [
        1,
        () =>
          random.pick(['http://', 'https://x:1', 'ftp://localhost/', 'http:/neet', 'http:neet', '//', '///']),
      ],
      [1, () => `/${path}`],
    ])();
  }

  /** A target in origin-form. */
  path(): string {
    const random = this.#random;
    const segments = this.#segments();
    const changed = random.chance(0.4) ? this.#changed(segments) : segments;
    const path = `/${changed.join('/')}${random.chance(0.1) ? '/' : ''}`;
    return `${path}${random.chance(0.12) ? this.#query() : ''}`;
  }

  #segments(): string[] {
    const random = this.#random;
    return random.weighted([
      [45, () => this.#aliased(random.pick(this.#closed).split('/'))],
      [35, () => random.pick(this.#open).split('/')],
      [8, () => [random.pick(exams), random.pick(years)]],
      [8, () => [random.pick(exams), random.pick(years), random.pick(shifts), random.pick(files)]],
      [8, () => ['auth', ...random.pick(authPaths).split('/')]],
      [1, () => [random.pick(names)]],
      [1, () => Array.from({ length: random.below(9) }, () => random.pick(names))],
    ])();
  }

  /** Replaces the name of the shift by an alias. */
  #aliased([exam = '', year = '', shift = '', ...rest]: readonly string[]): string[] {
    const random = this.#random;
    const number = (this.#release.shifts.get(exam)?.get(year) ?? []).indexOf(shift) + 1;
    const alias = random.weighted([
      [4, () => shift],
      [4, () => `s${number}`],
      [2, () => shift.slice(0, random.between(1, shift.length))],
      [2, () => shift.slice(5, 5 + random.between(1, shift.length - 5))],
      [1, () => random.pick(shifts)],
    ])();
    return [exam, year, alias, ...rest];
  }

  #changed(segments: readonly string[]): string[] {
    const random = this.#random;
    const changed = [...segments];
    const at = random.below(changed.length + 1);
    const segment = changed[at] ?? '';
    const change = random.weighted<() => void>([
      [6, () => changed.splice(at, 1, encoded(random, segment, 0.3))],
      [2, () => changed.splice(at, 1, encoded(random, segment, 1))],
      [3, () => changed.splice(at, 0, random.pick(dots))],
      [2, () => changed.splice(at, 0, '')],
      [1, () => changed.splice(at, 1, 'a'.repeat(random.between(1, 9_000)))],
      [3, () => changed.splice(at, 1, inserted(random, segment, random.pick(oddOctets)))],
      [2, () => changed.splice(at, 1, inserted(random, segment, random.pick(brokenEncodings)))],
      [2, () => changed.splice(at, 1)],
      [2, () => changed.splice(at, 0, segment)],
      [1, () => changed.reverse()],
      [2, () => changed.splice(at, 1, random.chance(0.5) ? segment.toUpperCase() : segment.slice(0, -1))],
      [
        2,
        () =>
          changed.splice(at, 1, inserted(random, segment, String.fromCharCode(random.between(0x21, 0x7e)))),
      ],
      [1, () => changed.splice(at, 1, random.pick(names))],
      [1, () => changed.splice(1, 1, random.pick(years))],
      [1, () => changed.splice(at, 1, segment.replaceAll('.', '%2E'))],
    ]);
    change();
    return changed;
  }

  #query(): string {
    const random = this.#random;
    return random.pick([
      '?',
      '?x=1',
      '?a=/../b',
      '?%',
      '?%ff',
      '??',
      '?key=pfx_',
      `?${'q'.repeat(random.below(2000))}`,
      '#part',
      '?x#part',
    ]);
  }
}

/** Percent-encodes some characters, in either case of hex. */
function encoded(random: Random, text: string, share: number): string {
  return [...text]
    .map((character) => {
      if (!random.chance(share)) return character;
      const hex = character.charCodeAt(0).toString(16).padStart(2, '0');
      return `%${random.chance(0.5) ? hex : hex.toUpperCase()}`;
    })
    .join('');
}

function inserted(random: Random, text: string, part: string): string {
  const at = random.below(text.length + 1);
  return text.slice(0, at) + part + text.slice(at);
}

const schemes = ['http://', 'https://', 'HTTP://', 'hTTps://'];
const authorities = [
  'localhost',
  'example.org:8080',
  '[::1]',
  '127.0.0.1:1',
  'a-b.c',
  'x@y',
  'a:b:c',
  '[x',
  '',
  'x:99999',
];
const exams = ['neet', 'jeemain', 'gate', 'neetjeemain', 'n', 'NEET', 'neet2024'];
const years = [
  '2024',
  '2023',
  '2025',
  '0000',
  '9999',
  '1',
  '24',
  '02024',
  '20240',
  '2024.0',
  '-2024',
  '+2024',
  '2024%20',
  '%32024',
  '2O24',
  '%EF%BC%92024',
  '0x7e8',
  '2e3',
  's1',
];
const shifts = [
  's1',
  's2',
  's0',
  's01',
  's9',
  's10',
  'S1',
  's',
  's-1',
  's1.0',
  '2',
  '20',
  '2024',
  '2024-',
  '2024-05-05',
  '2024-05-05-s10',
  '05',
  '05-',
  '05-05',
  '05-05-s1',
  '05-05-s',
  '5-5',
  '01-2',
  '01-27-s2',
  'diagrams',
  'latest',
  '%73%31',
];
const files = [
  'physics.json',
  'chemistry.json',
  'biology.json',
  'mathematics.json',
  'history.json',
  'physics',
  'Physics.json',
  'physics.JSON',
  'physics.json.br',
  'diagrams',
  '.json',
  'manifest.json',
  'physics.json%00.png',
];
const authPaths = [
  'settings',
  'keys',
  'account',
  'sign-in/email',
  'sign-up/email',
  'sign-out',
  'sign-in/social',
  'request-password-reset',
  'reset-password',
  'keys/key_1/rotate',
  'sessions',
  'sessions/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
  'introspect',
  'introspect',
  'introspect',
  'callback/google',
  'verify-email',
  'get-session',
  '..',
  '',
  'x/y/z',
  '%00',
  'ok',
  'error',
  'reset-password/x',
];
const names = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'public',
  'protected',
  'manifest.json',
  'current',
  'hosts',
  'neet',
  'docs',
  'dashboard',
  'auth',
  'livez',
  'readyz',
  'metrics',
  'favicon.ico',
  'robots.txt',
  '.env',
  '.git',
  'etc',
  'passwd',
  '~',
  '-',
  ';',
  '@',
  ':',
  '=',
  '&',
  '+',
  '*',
  "'",
  '(',
  '!',
  '$',
  ',',
];
const dots = [
  '.',
  '..',
  '%2e',
  '%2E%2e',
  '.%2e',
  '%2e.',
  '...',
  '.%00',
  '..;',
  '..%2f',
  '..%5c',
  '%252e%252e',
];
/** Octets that decode, but are in no name. */
const oddOctets = [
  '%00',
  '%0d%0a',
  '%09',
  '%7f',
  '%2f',
  '%5c',
  '%20',
  '%23',
  '%3f',
  '%25',
  '%c2%a0',
  '%e2%80%8b',
  '%f0%9f%98%80',
  '%ef%bb%bf',
  '%ef%bf%bd',
];
const brokenEncodings = [
  '%',
  '%2',
  '%zz',
  '%%',
  '%ff',
  '%c3%28',
  '%c0%af',
  '%ed%a0%80',
  '%f4%90%80%80',
  '%e2%82',
  '%fe',
  '%u0041',
];
