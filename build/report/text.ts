import { join } from 'node:path';
import type { Diagnostic, Location, Report } from '../check/diagnostic.ts';
import { groupBy } from '../content/groups.ts';
import type { FixedContent } from '../fix/fix.ts';
import type { RuleDescription } from '../rules/rule.ts';
import { codeFrame, type Paint, painter, type Tone } from './code-frame.ts';
import { count, formatNumber, summaryLine, visible, visibleLines } from './wording.ts';

/** How many problems of one rule are shown. */
const mostShown = 20;

/**
 * Formats a report for a terminal: a paragraph for each diagnostic, then totals by rule and a summary line.
 *
 * @param most how many problems of one rule are shown; the totals count the others
 */
export function textReport({ diagnostics, summary }: Report, setting: TextSetting, most = mostShown): string {
  const counts = new Map<string, number>();
  const shown = diagnostics.filter(({ rule }) => {
    const count = (counts.get(rule) ?? 0) + 1;
    counts.set(rule, count);
    return count <= most;
  });
  const paragraphs = shown.map((problem) => `${problemText(problem, setting)}\n\n`);
  return `${paragraphs.join('')}${totals(diagnostics, counts, most)}${summaryLine(summary)}\n`;
}

/** How many problems each rule has, how many of them are not shown, and how many `--fix` would fix. */
function totals(diagnostics: readonly Diagnostic[], counts: ReadonlyMap<string, number>, most: number): string {
  if (diagnostics.length < 2) return '';
  const severities = new Map(diagnostics.map(({ rule, severity }) => [rule, severity]));
  const rows = [...counts].sort(([one, ones], [other, others]) => others - ones || (one < other ? -1 : 1));
  const width = Math.max(...rows.map(([rule]) => rule.length));
  const lines = rows.map(([rule, number]) => {
    const hidden = number > most ? `, ${formatNumber(number - most)} of them not shown` : '';
    return `  ${rule.padEnd(width)}  ${count(number, severities.get(rule) ?? '')}${hidden}`;
  });
  const [first] = rows.filter(([, number]) => number > most);
  const fixable = diagnostics.filter(({ fix }) => fix !== undefined).length;
  const advice = [
    ...(first ? [`pastpaper validate --rule ${first[0]} shows all problems of that rule.`] : []),
    ...(fixable > 0 ? [`pastpaper validate --fix corrects ${count(fixable, 'problem')}.`] : []),
  ];
  const paragraphs = [lines, advice].filter((paragraph) => paragraph.length > 0);
  return paragraphs.map((paragraph) => `${paragraph.join('\n')}\n\n`).join('');
}

/** Lists what was fixed, by file and rule, then by rule. */
export function fixesText({ fixed, renamed }: Pick<FixedContent, 'fixed' | 'renamed'>): string {
  if (fixed.length === 0) return '';
  const byFile = groupBy(fixed, ({ file }) => file);
  const lines = [...byFile].sort(([one], [other]) => (one < other ? -1 : 1));
  return [
    ...lines.map(([file, ofFile]) => `Fixed ${file}: ${counts(ofFile)}`),
    ...renamed.map(({ folder, from, to }) => `Renamed ${folder}/diagrams/${from} to ${to}`),
    `Fixed ${count(fixed.length, 'problem')} in ${count(lines.length, 'file')}: ${counts(fixed)}`,
  ]
    .map((line) => `${visible(line)}\n`)
    .join('');
}

/** `schema 2, syntax 1` */
function counts(problems: readonly Pick<Diagnostic, 'rule'>[]): string {
  const counted = new Map<string, number>();
  for (const { rule } of problems) counted.set(rule, (counted.get(rule) ?? 0) + 1);
  const sorted = [...counted].sort(([one], [other]) => (one < other ? -1 : 1));
  return sorted.map(([rule, number]) => `${rule} ${formatNumber(number)}`).join(', ');
}

/** Settings of a report. Each format uses the ones it needs. */
export interface ReportSetting {
  /** CONTENT_DIR as given: prefixes each path, so that terminals, GitHub and viewers can open the file. */
  readonly contentDir: string;
  /** Columns of the terminal. */
  readonly width: number;
  readonly colour: boolean;
  /** Every rule that was checked, violated or not. */
  readonly rules: readonly RuleDescription[];
}

export type TextSetting = Pick<ReportSetting, 'contentDir' | 'width' | 'colour'>;

/**
 * Formats a diagnostic as a paragraph: place, message, code frame, suggestion and related places.
 *
 * @returns lines without a line break at the end
 */
export function problemText(problem: Diagnostic, setting: TextSetting): string {
  const { severity, rule, message, suggestion, related = [] } = problem;
  const paint = painter(setting.colour);
  const frameOf = (place: Location, tone: Tone) => codeFrame(place, { width: setting.width, tone, paint });
  const placeText = (place: Location) => paint('place', placeOf(setting.contentDir, place));
  const blocks = [
    [
      `${placeText(problem)} ${paint(severity, severity)} ${paint('aside', rule)}`,
      ...visibleLines(message).map((line) => `  ${paint('message', line)}`),
    ],
    frameOf(problem, severity),
    suggestion ? [`  ${didYouMean(suggestion, paint)}`] : [],
    ...related.flatMap((other) => {
      const [first = '', ...rest] = visibleLines(other.message);
      const head = `  ${placeText(other)} ${paint('related', first)}`;
      return [[head, ...rest.map((line) => `    ${line}`)], frameOf(other, 'related')];
    }),
  ];
  const hasFrame = [problem, ...related].some(({ excerpt }) => excerpt.length > 0);
  const texts = blocks.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return texts.join(hasFrame ? '\n\n' : '\n');
}

/** Formats a suggestion, quoted as JSON. */
export function didYouMean(suggestion: string, paint: Paint = painter(false)): string {
  return `Did you mean ${paint('suggestion', visible(JSON.stringify(suggestion)))}?`;
}

/** Formats a location as terminals and editors open it: `content/neet/exam.json:3:15`. */
export function placeOf(contentDir: string, { file, line, column }: Location): string {
  return `${visible(join(contentDir, file))}:${line}:${column}`;
}

/** Lists every rule with its severity and description, one per line. */
export function ruleList(rules: readonly RuleDescription[]): string {
  const width = Math.max(...rules.map(({ name }) => name.length));
  const lines = rules.map(
    ({ name, severity, description }) => `${name.padEnd(width)}  ${severity.padEnd(7)}  ${description}\n`,
  );
  return lines.join('');
}

/** Explains one rule: an example of wrong and right, and whether exceptions are allowed. */
export function ruleExplained({ name, severity, description, example, strict }: RuleDescription): string {
  const exceptions = strict
    ? 'It allows no exceptions, because a release cannot be built from content that breaks it.'
    : 'To allow an exception, add it to exceptions.json: rule, file, pointer and reason.';
  return `${name} (${severity})

  ${description}

  wrong: ${indented(example.wrong)}
  right: ${indented(example.right)}

  ${exceptions}
`;
}

function indented(text: string): string {
  return text.replaceAll('\n', `\n${' '.repeat('  wrong: '.length)}`);
}
