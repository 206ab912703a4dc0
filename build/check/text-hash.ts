/** 64 bits in two unsigned words that stand for a text: the same text has the same, another hardly ever. */
export interface Fingerprint {
  high: number;
  low: number;
}

/**
 * The fingerprint of a stretch of a text, without a copy of it: two multiplicative hashes, two UTF-16 units at
 * a time, each mixed to its last bit. It is no shield against someone who looks for a collision.
 *
 * @param into where it is put: a bank has millions of them
 */
export function fingerprint(text: string, start: number, end: number, into: Fingerprint): void {
  let high = 0x9e3779b9;
  let low = 0x7f4a7c15 ^ (end - start);
  for (let at = start; at < end; at += 2) {
    const units = text.charCodeAt(at) | (at + 1 < end ? text.charCodeAt(at + 1) << 16 : 0);
    high = Math.imul(high ^ units, 0x85ebca6b);
    high ^= high >>> 15;
    low = Math.imul(low ^ units, 0x5bd1e995);
    low ^= low >>> 13;
  }
  into.high = mixed(high ^ low);
  into.low = mixed(low);
}

/** The fingerprint of a question's text; a line break or a second space makes no other question of it. */
export function stemFingerprint(text: string, into: Fingerprint): void {
  const stem = stemOf(text);
  fingerprint(stem, 0, stem.length, into);
}

/** A question's text with single spaces. Most texts have no others, and stay as they are. */
export function stemOf(text: string): string {
  return text.includes('\n') || text.includes('  ') ? text.replace(/\s+/g, ' ').trim() : text;
}

/** Spreads what the last units changed over all bits. */
export function mixed(word: number): number {
  let bits = word;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/**
 * The fingerprint of a formula's shape. KaTeX sets every letter as it sets every other, and so with digits: whether it
 * sets `$12\,\mathrm{kg}$` it also says of `$47\,\mathrm{cm}$`, so that it is asked about one of them. Formulas have
 * one shape when they differ in nothing but which letters and digits stand in them, outside commands, and hold no
 * command but those that treat all letters and all digits alike. Every other formula has a shape of its own.
 *
 * @param start offset of the formula in the text, with its dollars
 * @param into where it is put: a bank has millions of them
 */
export function shapePrint(text: string, start: number, end: number, into: Fingerprint): void {
  if (!printShape(text, start, end, into)) fingerprint(text, start, end, into);
}

const backslash = 0x5c;
const anyLetter = 0x78;
const anyDigit = 0x30;

/** @returns whether it is a formula that shares its shape with others */
function printShape(text: string, start: number, end: number, into: Fingerprint): boolean {
  let high = 0x2545f491;
  let low = 0x4f6cdd1d ^ (end - start);
  for (let at = start; at < end; at += 1) {
    let unit = text.charCodeAt(at);
    if (unit === backslash) {
      const behind = endOfCommand(text, at + 1, end);
      if (!alike.has(text.slice(at + 1, behind))) return false;
      for (; at < behind - 1; at += 1) {
        high = Math.imul(high ^ text.charCodeAt(at), 0x85ebca6b);
        high ^= high >>> 15;
        low = Math.imul(low ^ text.charCodeAt(at), 0x5bd1e995);
        low ^= low >>> 13;
      }
      unit = text.charCodeAt(at);
    } else if (isLetter(unit)) unit = anyLetter;
    else if (unit >= 0x30 && unit <= 0x39) unit = anyDigit;
    // A comment hides what follows; what is beyond ASCII may be of a font or not.
    else if (unit > 0x7e || unit === 0x25) return false;
    high = Math.imul(high ^ unit, 0x85ebca6b);
    high ^= high >>> 15;
    low = Math.imul(low ^ unit, 0x5bd1e995);
    low ^= low >>> 13;
  }
  into.high = mixed(high ^ low);
  into.low = mixed(low);
  return true;
}

/** Behind the letters of a command, or behind the one sign that it is. */
function endOfCommand(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && isLetter(text.charCodeAt(at))) at += 1;
  return at === from ? from + 1 : at;
}

function isLetter(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a);
}

/**
 * Commands that take no name, length or colour, so that no letter and no digit behind them means more than itself.
 * What is not listed costs KaTeX's time, and nothing else.
 */
const alike: ReadonlySet<string> = new Set(
  `, ; : ! { } $ # & _ | > frac dfrac tfrac sqrt binom dbinom tbinom
  mathrm mathbf mathit mathsf mathbb mathcal boldsymbol text textbf textit textrm operatorname
  vec hat bar dot ddot tilde overline underline widehat widetilde overrightarrow overleftarrow
  left right big Big bigg Bigg displaystyle textstyle limits
  alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi rho sigma tau
  upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega
  times cdot div pm mp ast star circ bullet oplus otimes cup cap wedge vee setminus
  le leq ge geq ne neq lt gt ll gg approx sim simeq cong equiv propto parallel perp mid in notin ni subset subseteq
  supset supseteq to rightarrow leftarrow leftrightarrow Rightarrow Leftarrow Leftrightarrow longrightarrow
  rightleftharpoons uparrow downarrow mapsto implies iff
  sum prod int iint oint lim sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh log ln exp min max det
  infty partial nabla angle triangle degree prime hbar ell Re Im emptyset forall exists neg therefore because
  ldots cdots vdots ddots dots quad qquad langle rangle lfloor rfloor lceil rceil vert Vert lvert rvert`.split(
    /\s+/,
  ),
);
