/**
 * What is left of a command of LaTeX in a JSON string when its backslash is written once: `\t`, `\n` and the like
 * are escapes there. By the character that the escape becomes; of each the letters that follow it.
 */
const tails: Readonly<Record<string, string>> = {
  '\b':
    'ackslash ar ecause egin eta etween f ig igcap igcirc igcup igg iggl iggr igl igoplus igotimes igr igtriangleup ' +
    'igvee igwedge inom m mod old oldsymbol ot owtie ox oxed ra race rack reve ullet',
  '\f': 'allingdotseq box lat orall rac rak rown',
  '\r':
    'angle arr brace brack ceil e eals ed floor group ho ight ightarrow ightharpoonup ightleftarrows ' +
    'ightleftharpoons ightrightarrows lap m times ule vert',
  '\t':
    'ag an anh au binom ext extbf extcolor extdegree extit extnormal extrm extsf exttt frac herefore heta hickapprox ' +
    'hinspace ilde imes o op riangle riangledown riangleleft riangleq riangleright',
  '\n':
    'abla atural cong e earrow eg eq ewline exists geq gtr i leftarrow leq less mid olimits onumber ot otin parallel ' +
    'rightarrow sim subseteq u warrow',
};

const known: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(tails).map(([character, list]) => [character, list.split(' ')]),
);

/** Shorter ones may be a variable or a word. */
const telling = 3;

/**
 * Whether letters behind a control character make a command of LaTeX with it. `\timesx` does in a formula,
 * where somebody forgot a space; elsewhere it takes the command itself.
 *
 * @param letters all that follow the character
 */
export function isEatenCommand(character: string, letters: string, inFormula: boolean): boolean {
  const ofCharacter = known.get(character) ?? [];
  return inFormula
    ? ofCharacter.some((tail) => letters === tail || (tail.length >= telling && letters.startsWith(tail)))
    : letters.length >= telling && ofCharacter.includes(letters);
}
