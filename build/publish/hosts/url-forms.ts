/**
 * The form of a request target, told by patterns that nginx (PCRE) and Caddy (RE2) read alike. They stand in for
 * the gateway's own reading of a URL (design: HTTP), and look at the target as it came: what a server has decoded
 * and tidied no longer shows what was malformed.
 */
import { reservedNames } from '../../release/urls.ts';

/** What the URL of a request asks for, as far as no table is needed. */
export type UrlForm = 'root' | 'auth' | 'page' | 'exam' | 'year' | 'protected' | 'invalid-year' | 'malformed';

const hex = '[0-9A-Fa-f]';
const rest = `%[89ABab]${hex}`;

/** A character of a segment: ASCII without `#`, `%`, `/` and `?`, or percent-encoded UTF-8 (RFC 3629, 4). */
const character = `(?:${[
  String.raw`[\x21\x22\x24\x26-\x2e\x30-\x3e\x40-\x7e]`,
  `%[0-7]${hex}`,
  `%[Cc][2-9A-Fa-f]${rest}`,
  `%[Dd]${hex}${rest}`,
  `%[Ee]0%[ABab]${hex}${rest}`,
  `%[Ee][1-9A-Ca-cEFef]${rest}${rest}`,
  `%[Ee][Dd]%[89]${hex}${rest}`,
  `%[Ff]0%[9ABab]${hex}${rest}${rest}`,
  `%[Ff][1-3]${rest}${rest}${rest}`,
  `%[Ff]4%8${hex}${rest}${rest}`,
].join('|')})`;

/** Where the path of a target ends. */
const end = '(?:[?]|$)';
const dot = '(?:[.]|%2[Ee])';

/** A target with a dot segment, which must not be tidied away. */
export const dotSegment = `^[^?]*/${dot}${dot}?(?:[/?]|$)`;

/** A target whose segments all decode and none of which is empty; one slash may stand at the end. */
export const wellFormed = `^/(?:${character}+(?:/${character}+)*/?)?${end}`;

/** A target with an encoded slash: it is part of a segment, and no public path has one. */
export const encodedSlash = '^[^?]*%2[Ff]';

const segment = '[^/?]+';
const digit = '(?:[0-9]|%3[0-9])';
const year = digit.repeat(4);
const shift = segment;
const closing = `/?${end}`;

/** By the first pattern that matches a well-formed target; none of them: it is malformed. */
export const urlForms: readonly (readonly [pattern: string, form: UrlForm])[] = [
  [`^/${end}`, 'root'],
  ['^/auth(?:[/?]|$)', 'auth'],
  [`^/(?:${[...reservedNames].map(spelled).join('|')})(?:[/?]|$)`, 'page'],
  [`^/${segment}${closing}`, 'exam'],
  [`^/${segment}/${year}${closing}`, 'year'],
  [`^/${segment}/${year}/${shift}/(?:${spelled('diagrams')}/)?${segment}${closing}`, 'protected'],
  [`^/${segment}/${segment}(?:/${shift}/(?:${spelled('diagrams')}/)?${segment})?${closing}`, 'invalid-year'],
];

/** A pattern of a name, of which any letter may be percent-encoded. */
function spelled(name: string): string {
  return [...name]
    .map((letter) => {
      const code = letter.charCodeAt(0).toString(16);
      const encoded = [...code].map((digit) =>
        /[a-f]/.test(digit) ? `[${digit.toUpperCase()}${digit}]` : digit,
      );
      return `(?:${letter === '.' ? '[.]' : letter}|%${encoded.join('')})`;
    })
    .join('');
}
