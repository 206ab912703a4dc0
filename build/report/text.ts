import { join } from 'node:path';
import type { Diagnostic, Location, Report } from '../check/diagnostic.ts';
import { compareTexts, groupBy } from '../content/groups.ts';
import type { FixedContent } from '../fix/fix.ts';
import type { RuleDescription } from '../rules/rule.ts';
import { codeFrame, type Paint, painter, type Tone } from './code-frame.ts';
import {
  count,
  formatNumber,
  severityCounts,
  summaryLine,
  visible,
  visibleLines,
} from './wording.ts';

/** How many problems of one rule are shown; those with the same message in a file count as one. */
const mostShown = 20;

/** With more problems, the report begins with an overview. */
const mostWithoutOverview = 20;

/** How many other places of the same problem in a file are named. */
const namedPlaces = 3;

/**
 * Formats a report for a terminal: an overview if there are many problems, a paragraph for each, totals by rule and a
 * summary line.
 *
 * @param isComplete whether every problem is shown; otherwise a repeated one once in a file, and a few of each rule
 */
export function textReport(
  { diagnostics, summary }: Report,
  setting: TextSetting,
  isComplete = false,
): string {
  const groups = isComplete
    ? diagnostics.map((one) => [one])
    : [...groupBy(diagnostics, ({ rule, file, message }) => `${rule} ${file} ${message}`).values()];
  const ofRules = [...groupBy(groups, ([first]) => first?.rule).values()];
  const hidden = new Set(isComplete ? [] : ofRules.flatMap((ofRule) => ofRule.slice(mostShown)));
  const paragraphs = groups.flatMap((group) => {
    const [first, ...others] = group;
    return first && !hidden.has(group)
      ? [`${problemText(first, setting)}\n${repetitionText(others)}\n`]
      : [];
  });
  const overview =
    diagnostics.length > mostWithoutOverview ? overviewText(diagnostics, summary) : '';
  return `${overview}${paragraphs.join('')}${totals(diagnostics, [...hidden].flat())}${summaryLine(summary)}\n`;
}

/** Where else a problem is in its file: `  The same in 198 more places: lines 34, 56, 78.` */
function repetitionText(others: readonly Diagnostic[]): string {
  if (others.length === 0) return '';
  const lines = others.slice(0, namedPlaces).map(({ line }) => line);
  const rest = others.length > namedPlaces ? ' ...' : '';
  const places = `line${lines.length > 1 ? 's' : ''} ${lines.join(', ')}${rest}`;
  return `\n  The same in ${count(others.length, 'more place')} of this file: ${places}\n`;
}

/** The rules that are broken, the most frequent ones first, each with the message of its first problem. */
function overviewText(
  diagnostics: readonly Diagnostic[],
  { errors, warnings }: Report['summary'],
): string {
  const byRule = [...groupBy(diagnostics, ({ rule }) => rule)].sort(
    ([, one], [, other]) => other.length - one.length,
  );
  const files = count(new Set(diagnostics.map(({ file }) => file)).size, 'file');
  const rows = byRule.map(([rule, [first, ...others]]) => {
    const message = first ? visibleLines(first.message)[0] : '';
    return `  ${formatNumber(1 + others.length).padStart(7)}  ${rule}\n           ${message}\n`;
  });
  return `${severityCounts({ errors, warnings })} in ${files}:

${rows.join('')}
npx pastpaper validate --explain RULE explains a rule. --all shows every problem.
--baseline accepts the problems of an imported bank.

`;
}

/** How many problems each rule has, how many of them are not shown, and how many `--fix` would fix. */
function totals(diagnostics: readonly Diagnostic[], hidden: readonly Diagnostic[]): string {
  if (diagnostics.length < 2) return '';
  const hiddenOf = groupBy(hidden, ({ rule }) => rule);
  const rows = [...groupBy(diagnostics, ({ rule }) => rule)].sort(
    ([one, ones], [other, others]) => others.length - ones.length || compareTexts(one, other),
  );
  const width = Math.max(...rows.map(([rule]) => rule.length));
  const lines = rows.map(([rule, all]) => {
    const left = hiddenOf.get(rule)?.length ?? 0;
    const note = left > 0 ? `, ${formatNumber(left)} of them not shown` : '';
    return `  ${rule.padEnd(width)}  ${count(all.length, all[0]?.severity ?? '')}${note}`;
  });
  const first = rows.find(([rule]) => hiddenOf.has(rule));
  const fixable = diagnostics.filter(({ fix }) => fix !== undefined).length;
  const advice = [
    ...(first
      ? [`npx pastpaper validate --rule ${first[0]} shows all problems of that rule.`]
      : []),
    ...(fixable > 0 ? [`npx pastpaper validate --fix corrects ${count(fixable, 'problem')}.`] : []),
  ];
  const paragraphs = [lines, advice].filter((paragraph) => paragraph.length > 0);
  return paragraphs.map((paragraph) => `${paragraph.join('\n')}\n\n`).join('');
}

/** Lists what was fixed, by file and rule, then by rule. */
export function fixesText({ fixed, renamed }: Pick<FixedContent, 'fixed' | 'renamed'>): string {
  if (fixed.length === 0) return '';
  const lines = [...groupBy(fixed, ({ file }) => file)].sort(([one], [other]) =>
    compareTexts(one, other),
  );
  return [
    ...lines.map(([file, ofFile]) => `Fixed ${file}: ${counts(ofFile)}`),
    ...renamed.map(({ folder, from, to }) => `Renamed ${folder}/diagrams/${from} to ${to}`),
    `Fixed ${count(fixed.length, 'problem')} in ${count(lines.length, 'file')}: ${counts(fixed)}`,
  ]
    .map((line) => `${visible(line)}\n`)
    .join('');
}

/** Names each change that `--fix` would make. */
export function plannedText({ fixed, renamed }: Pick<FixedContent, 'fixed' | 'renamed'>): string {
  const lines = [
    ...fixed.map(
      ({ file, line, column, rule, fix = '', fixes = [] }) =>
        `${file}:${line}:${column} ${rule}: ${fix === '' ? 'remove' : `write ${fix}`}` +
        (fixes.length > 0 ? `, and the same in ${count(fixes.length, 'place')} more` : ''),
    ),
    ...renamed.map(({ folder, from, to }) => `${folder}/diagrams/${from}: rename to ${to}`),
    `Would fix ${count(fixed.length, 'problem')}. Nothing was written.`,
  ];
  return lines.map((line) => `${visible(line)}\n`).join('');
}

/** `schema 2, syntax 1` */
function counts(problems: readonly Pick<Diagnostic, 'rule'>[]): string {
  const sorted = [...groupBy(problems, ({ rule }) => rule)].sort(([one], [other]) =>
    compareTexts(one, other),
  );
  return sorted.map(([rule, ofRule]) => `${rule} ${formatNumber(ofRule.length)}`).join(', ');
}

/** How problems are shown. */
export interface TextSetting {
  /** CONTENT_DIR as given: prefixes each path, so that terminals, GitHub and viewers can open the file. */
  readonly contentDir: string;
  /** Columns of the terminal. */
  readonly width: number;
  readonly colour: boolean;
}

/**
 * Formats a diagnostic as a paragraph: place, message, code frame, suggestion and related places.
 *
 * @returns lines without a line break at the end
 */
export function problemText(problem: Diagnostic, setting: TextSetting): string {
  const { severity, rule, message, suggestion, related = [] } = problem;
  const paint = painter(setting.colour);
  const frameOf = (place: Location, tone: Tone) => codeFrame(place, setting.width, tone, paint);
  const placeText = (place: Location) => paint('place', placeOf(setting.contentDir, place));
  const blocks = [
    [
      `${placeText(problem)} ${paint(severity, severity)} ${paint('aside', rule)}`,
      ...visibleLines(message).map((line) => `  ${paint('message', line)}`),
    ],
    frameOf(problem, severity),
    suggestion ? [`  ${didYouMean(suggestion, paint, problem.isTyped)}`] : [],
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

/**
 * Formats a suggestion as it is typed into the file.
 *
 * @param isTyped whether it is a part of the file already; otherwise it is a text, which is quoted as JSON
 */
export function didYouMean(
  suggestion: string,
  paint: Paint = painter(false),
  isTyped = false,
): string {
  const typed = isTyped ? suggestion : JSON.stringify(suggestion);
  return `Did you mean ${paint('suggestion', visible(typed))}?`;
}

/** Formats a location as terminals and editors open it: `content/neet/exam.json:3:15`. */
export function placeOf(contentDir: string, { file, line, column }: Location): string {
  return `${visible(join(contentDir, file))}:${line}:${column}`;
}

/** Lists every rule with its severity and description, one per line. */
export function ruleList(rules: readonly RuleDescription[]): string {
  const width = Math.max(...rules.map(({ name }) => name.length));
  const lines = rules.map(
    ({ name, severity, description }) =>
      `${name.padEnd(width)}  ${severity.padEnd(7)}  ${description}\n`,
  );
  return lines.join('');
}

/** Explains one rule: an example of wrong and right, and whether exceptions are allowed. */
export function ruleExplained({
  name,
  severity,
  description,
  example,
  strict,
}: RuleDescription): string {
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
