import type { Diagnostic, Location } from './diagnostic.ts';
import { codeFrame } from './frame.ts';
import { type Paint, painter, type Tone } from './paint.ts';
import { placeOf } from './path.ts';
import type { ReportSetting } from './setting.ts';
import { visible, visibleLines } from './visible.ts';

/** What a problem's text depends on. */
export type TextSetting = Pick<ReportSetting, 'contentDir' | 'width' | 'colour'>;

/**
 * A problem as a paragraph: where it is, what is wrong, the lines around it, what would be right, and every
 * other place that has to do with it.
 *
 * @returns lines without a line break at the end
 */
export function problemText(problem: Diagnostic, setting: TextSetting): string {
  const { severity, rule, message, suggestion, related = [] } = problem;
  const paint = painter(setting.colour);
  const place = paint('place', placeOf(setting.contentDir, problem));
  const head = `${place} ${paint(severity, severity)} ${paint('aside', rule)}`;
  const blocks = [
    [head, ...messageLines(message, paint)],
    frameOf(problem, severity, setting, paint),
    suggestion === undefined ? [] : [`  ${didYouMean(suggestion, paint)}`],
    ...related.flatMap((other) => relatedBlocks(other, setting, paint)),
  ];
  const hasFrame = [problem, ...related].some(({ excerpt }) => excerpt.length > 0);
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join(hasFrame ? '\n\n' : '\n');
}

/** What belongs in the place of what is at fault, quoted as JSON. */
export function didYouMean(suggestion: string, paint: Paint = painter(false)): string {
  return `Did you mean ${paint('suggestion', visible(JSON.stringify(suggestion)))}?`;
}

function relatedBlocks(other: Location, setting: TextSetting, paint: Paint): string[][] {
  const [first = '', ...rest] = visibleLines(other.message);
  const place = paint('place', placeOf(setting.contentDir, other));
  const head = [`  ${place} ${paint('related', first)}`, ...rest.map((line) => `    ${line}`)];
  return [head, frameOf(other, 'related', setting, paint)];
}

function frameOf(place: Location, tone: Tone, { width }: TextSetting, paint: Paint): string[] {
  return codeFrame(place, { width, tone, paint });
}

function messageLines(message: string, paint: Paint): string[] {
  return visibleLines(message).map((line) => `  ${paint('message', line)}`);
}
