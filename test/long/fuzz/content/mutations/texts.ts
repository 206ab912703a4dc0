import { type Draw, words } from '../../draw.ts';

/** Inserts valid or invalid text, or removes some. */
export function mutateText(draw: Draw, text: string): string {
  const at = draw.below(text.length + 1);
  const end = Math.min(text.length, at + draw.below(6));
  return draw.weighted<() => string>([
    [8, () => text.slice(0, at) + draw.pick(pieces) + text.slice(at)],
    [3, () => `${text} ${draw.pick(pieces)}`],
    [3, () => text.slice(0, at) + text.slice(end)],
    [2, () => text.slice(0, at) + draw.pick(characters) + text.slice(at)],
    [1, () => text.normalize('NFD')],
    [1, () => text.replaceAll('\\', draw.pick(['', '\\\\', '/']))],
    [1, () => text.replace(draw.pick(['{', '}', '$', '\\', '_', '^', ' ']), '')],
    [1, () => draw.pick(pieces)],
    [1, () => Buffer.from(text, 'utf8').toString('latin1')],
  ])();
}

/** Texts, formulas and text that looks like them. */
// biome-ignore format: a list
const pieces = [
  ...words(`
    <b>x</b> <br> <br/> <script>alert(1)</script> </p> <svg/onload=x> <x-y> <B> <b 1<2 &lt; &amp; &nbsp;
    &#60; &#x3c; &lt & &x; AT&T; **bold** *x* ** ![](p1-car.svg) ![](q1-axes.svg) [x](y)
  `),
  'plain words', '<!-- x -->', '<!doctype html>', '<a href="x">', '<img src=x onerror=x>', '< b>', 'a < b and c > d',
  '& ', '$x^2$', '$$\\int_0^1 x\\,dx$$', '$', '$$', '$$$', '$$$$', '$ $', '\\$', '\\$5', '\\\\$', '$\\$$', '$x', 'x$',
  '$x$$y$', '$$x$y$$', '$\\frac{1}$', '$\\frac{1}{2}$', '$\\frac12$', '$\\left( x$', '$\\left( x \\right)$',
  '$\\unknown$', '$x_1_2$', '$x^1^2$', '$}$', '$\\}$', '${$', '$&$',
  '$\\begin{matrix} a & b \\\\ c & d \\end{matrix}$', '$\\begin{matrix} a$', '$\\begin{align} a &= b \\end{align}$',
  '$$\\begin{align} a &= b \\end{align}$$', '$$\\tag{1} x$$', '$\\tag{1} x$', '$\\href{javascript:alert(1)}{x}$',
  '$\\url{https://example.org}$', '$\\htmlClass{a}{b}$', '$\\includegraphics{x}$', '$\\def\\x{\\x\\x}\\x$',
  '$\\def\\x{y}\\x$', '$\\gdef\\x{y}\\x$', '$\\newcommand{\\x}{y}\\x$', '$\\text{<b>}$', '$\\text{$x$}$',
  '$\\text{&lt;}$', '$\\text{é}$', '$é$', '$\\mathrm{é}$', '$\u2013$', '$x\u2019$', "$x'$", '$x < y$', '$x<y>z$',
  '$\\rule{9999em}{9999em}$', '$\\color{red}x$', '$\\verb|x|$', '$\\char"41$', '$\\char"110000$', '$%$', '$\\%$',
  '$x%y$', '$#$', '$~$', '$\\ $', '$\\\\$', '$\n$', '$x\ny$', '\\(x\\)', '\\[x\\]', '$\\ce{H2O}$', '$\\pu{5 kg}$',
  '# x', '\n\n- a\n- b', '\n\n| a | b |\n| - | - |\n| 1 | $x$ |\n\n', '`x`', '\n\n> x', '\\frac{1}{2}', '\\times',
  '\\n', '\\t', '\\u00e9', 'e\u0301', '\u212b', '\u2126', '\ufb01', '\uac00', '\u1100\u1161', '\u0915\u093c', '\u0958',
  '\u00c3\u00a9', '\ufffd', '\u200b', '\u200c', '\u200d', '\u0915\u094d\u200d\u0937', '\u{1f468}\u200d\u{1f469}',
  '\u{1f600}', '\u202e', '\u2066', '\u00ad', '\ufeff', '\u00a0', '\u2028', '\u0007', '\t', '\n', '\r\n', '\u0000',
  '\u007f', '\u0085', '\ud800', '\udc00', '\ufffe', '\u{e0041}', '\u{10ffff}', '  ',
  'x'.repeat(5000),
  '$x$'.repeat(300),
  `$${'{'.repeat(300)}x${'}'.repeat(300)}$`,
  `$${'\\frac{1}{'.repeat(60)}x${'}'.repeat(60)}$`,
];

const characters = [
  ...words(`
    < > & { } % # _ ^ ~ " / ; 0
  `),
  '$',
  '\\',
  "'",
  ' ',
  '\u0301',
  '\u200d',
  '\u0000',
];
