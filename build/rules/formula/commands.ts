import katex from 'katex';

/** What asks whether a command exists; handed to a macro by KaTeX. */
type IsDefined = (command: string) => boolean;

/**
 * What somebody meant who wrote a command that KaTeX does not know: two letters swapped, one too many, one
 * missing or another one, or a variable right behind the command (`\cosx`). KaTeX is asked about each of those;
 * it keeps no list that could be read.
 *
 * @param follows the character behind the command
 * @returns a command that KaTeX knows; undefined when none is so near
 */
export function meantCommand(command: string, follows: string): string | undefined {
  const foreign = elsewhere[command];
  if (foreign !== undefined) return foreign;
  const [, name] = /^\\([a-zA-Z]{2,30})$/.exec(command) ?? [];
  if (name === undefined) return undefined;
  const isDefined = commandsOfKatex();
  const exists = (one: string) => one.length > 1 && isDefined(`\\${one}`) && isOfMath(`\\${one}`);
  const found = [swapped(name), undoubled(name), inserted(name)].flat().find(exists);
  if (found !== undefined) return `\\${found}`;
  const split = parted(name, exists, follows);
  if (split !== undefined) return split;
  // Of short names, every other one is near.
  const last = name.length < 4 ? undefined : [replaced(name), shortened(name)].flat().find(exists);
  return last === undefined ? undefined : `\\${last}`;
}

/** Commands that other packages have, and what is the same in KaTeX. */
const elsewhere: Readonly<Record<string, string>> = {
  '\\ohm': '\\Omega',
  '\\celsius': '^\\circ\\mathrm{C}',
  '\\angstrom': '\\text{Å}',
  '\\infinity': '\\infty',
  '\\integral': '\\int',
  '\\fraction': '\\frac',
  '\\nicefrac': '\\tfrac',
  '\\ang': '\\angle',
  '\\mbox': '\\text',
};

const letters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'];

function* places(name: string, behind = 0): Generator<[before: string, at: string, after: string]> {
  for (let index = 0; index < name.length + behind; index += 1)
    yield [name.slice(0, index), name[index] ?? '', name.slice(index + 1)];
}

function swapped(name: string): string[] {
  return [...places(name)].map(([before, at, after]) => before + after.slice(0, 1) + at + after.slice(1));
}

function undoubled(name: string): string[] {
  return [...places(name)]
    .filter(([before, at]) => before.endsWith(at))
    .map(([before, , after]) => before + after);
}

function inserted(name: string): string[] {
  return [...places(name, 1)].flatMap(([before, at, after]) =>
    letters.map((letter) => before + letter + at + after),
  );
}

function replaced(name: string): string[] {
  return [...places(name)].flatMap(([before, , after]) => letters.map((letter) => before + letter + after));
}

function shortened(name: string): string[] {
  return [...places(name)].map(([before, , after]) => before + after);
}

/** A command and a variable or two without the space between them. */
function parted(name: string, exists: (name: string) => boolean, follows: string): string | undefined {
  for (const length of [1, 2]) {
    const command = name.slice(0, -length);
    const variable = name.slice(-length);
    // An argument in braces belongs to a command: \fracc{1}{2} is no \frac c.
    if (exists(command) && follows !== '{') return `\\${command} ${variable}`;
  }
  return undefined;
}

/** Some commands are there in `\text{...}` alone. */
function isOfMath(command: string): boolean {
  try {
    katex.renderToString(`${command}{x}{x}`, { strict: false, output: 'mathml' });
    return true;
  } catch (error) {
    return !(error as Error).message.includes('Undefined control sequence');
  }
}

let asked: IsDefined | undefined;

/** KaTeX tells macros what is defined. */
function commandsOfKatex(): IsDefined {
  if (asked) return asked;
  const macros = {
    '\\ask': (context: object) => {
      const { isDefined } = context as { isDefined: IsDefined };
      asked = isDefined.bind(context);
      return '';
    },
  };
  katex.renderToString('\\ask', { macros });
  return asked ?? (() => false);
}
