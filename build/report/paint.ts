import { styleText } from 'node:util';

/** What is told apart by colour. */
export type Tone = 'error' | 'warning' | 'related' | 'place' | 'message' | 'suggestion' | 'aside';

/** Gives a text of one line the colour of its tone. */
export type Paint = (tone: Tone, text: string) => string;

const styles = {
  error: ['bold', 'red'],
  warning: ['bold', 'yellow'],
  related: ['bold', 'cyan'],
  place: ['bold'],
  message: ['bold'],
  suggestion: ['green'],
  aside: ['gray'],
} as const satisfies Record<Tone, readonly Parameters<typeof styleText>[0][]>;

/** Colours as ANSI escapes, whatever stream they go to, or none. */
export function painter(colour: boolean): Paint {
  if (!colour) return (_tone, text) => text;
  return (tone, text) => (text === '' ? '' : styleText([...styles[tone]], text, { validateStream: false }));
}
