import type { SvgHazard } from '../../content/svg-hazards.ts';
import type { CheckedShift } from '../checked.ts';
import type { Rule } from '../rule.ts';

export const svgSafety: Rule<CheckedShift> = {
  name: 'svg-safety',
  description:
    'An SVG shows itself and does nothing else: no script, no event handlers, no HTML inside, nothing from outside.',
  severity: 'error',
  example: {
    wrong: '<image href="https://example.org/map.png"/>',
    right: '<image href="data:image/png;base64,..."/>',
  },
  *check({ diagrams }) {
    for (const { path, image } of diagrams) {
      if ('fault' in image || !image.hazards) continue;
      for (const { kind, what, start, end } of image.hazards)
        yield { path, pointer: '', part: { of: 'file', start, end }, message: messages[kind](what) };
    }
  },
};

const messages: Readonly<Record<SvgHazard['kind'], (what: string) => string>> = {
  script: (what) => `${what} runs a program. Remove it.`,
  handler: (what) => `${what} runs a program when something happens. Remove it.`,
  foreign: (what) => `${what} brings in what is no SVG. Remove it.`,
  outside: (what) => `${what} is outside of the file. Put what it names into the file, or remove it.`,
  entity: (what) => `${what} makes the text mean something else than it says. Write out what it stands for.`,
  stylesheet: (what) => `${what} fetches a style from elsewhere. Put it into a <style> of the file.`,
};
