import bounds from '../content/bounds.json' with { type: 'json' };
import {
  formulaHash,
  formulaOf,
  formulasOf,
  proseOf,
  rememberFormulas,
} from '../content/formulas.ts';
import type { Span } from '../content/positions.ts';
import { type PlacedTexts, visitFormulas, visitTexts } from '../content/question.ts';
import type { Diagram } from '../content/written.ts';
import {
  bracketFormulas,
  formulaCharacters,
  formulaDelimiters,
  formulaRule,
} from '../rules/formula.ts';
import { markdownRules } from '../rules/markdown.ts';
import {
  type CheckedText,
  type FormulaProblem,
  groupFindings,
  isSpent,
  type Problem,
  problemsOf,
} from '../rules/rule.ts';
import { textRules } from '../rules/rules.ts';
import { schemaRule } from '../rules/schema.ts';

/** Returns what KaTeX finds wrong with a formula, which is passed with its dollars. */
type FormulaCheck = (formula: string) => FormulaProblem | undefined;

export type LoadKatex = () => Promise<FormulaCheck>;

export interface PaperTexts {
  readonly path: string;
  readonly placed: readonly PlacedTexts[];
}

/**
 * Validates the texts of papers and the formulas in them.
 *
 * @param validFormulas hashes of formulas that KaTeX accepts; new ones are remembered
 * @param loadKatex called only if there are other formulas
 * @returns the problems, and the hashes of formulas that KaTeX was asked about and accepts
 */
export async function checkTexts(
  papers: readonly PaperTexts[],
  validFormulas: Set<number>,
  loadKatex: LoadKatex = async () => (await import('../rules/katex.ts')).formulaProblem,
) {
  const problems: Problem[] = [];
  const unknown = new Map<number, string>();
  const marked: MarkdownText[] = [];
  const counts = new Map<string, number>();
  for (const { path, placed } of papers) {
    for (const { texts, pointer } of placed)
      visitTexts(texts, (text, below, hasMarkdown) => {
        if (text.length > bounds.text)
          return void problems.push(tooLong(path, `${pointer}${below()}`));
        const isLoose = visitAllFormulas(text, (source, start, end) => {
          const hash = formulaHash(source, start, end);
          if (!validFormulas.has(hash) && !unknown.has(hash))
            unknown.set(hash, source.slice(start, end));
        });
        if (!mayConcern(text, isLoose)) return;
        const at = { path, pointer: `${pointer}${below()}`, text };
        const ofText = textProblems(at, isLoose, counts);
        problems.push(...ofText);
        if (hasMarkdown && mayHaveMarkdown(text))
          marked.push({ ...at, diagrams: texts.diagrams ?? [], problems: ofText });
      });
  }
  const lists = [problems, marked.length > 0 ? await markdownProblems(marked, counts) : []];
  if (unknown.size === 0) return { problems: lists.flat(), newFormulas: [] };
  const katex = await loadKatex();
  const found = new Map<string, FormulaProblem>();
  const invalid = new Set<number>();
  const newFormulas: number[] = [];
  for (const [hash, formula] of unknown) {
    const problem = katex(formula);
    if (problem) {
      found.set(formula, problem);
      invalid.add(hash);
    } else newFormulas.push(hash);
  }
  rememberFormulas(validFormulas, newFormulas);
  // In another formula of the same shape, the problem is in another place.
  const problemOf = (formula: string) => found.get(formula) ?? katex(formula);
  if (invalid.size > 0)
    for (const paper of papers) lists.push(formulaProblems(paper, invalid, problemOf, counts));
  const all = lists.flat();
  return {
    problems: invalid.size > 0 ? all.map((one) => withValidFix(one, problemOf)) : all,
    newFormulas,
  };
}

/** `--fix` puts dollars only around a formula that KaTeX accepts. */
function withValidFix(problem: Problem, problemOf: FormulaCheck): Problem {
  const { rule, certain, suggestion = '' } = problem;
  const isFix = certain === true && rule === formulaDelimiters.name;
  return isFix && problemOf(suggestion) ? { ...problem, certain: false } : problem;
}

function tooLong(path: string, pointer: string): Problem {
  const message = `The text is longer than ${bounds.text} characters. Nothing else in it was checked. Split it.`;
  return { rule: schemaRule.name, severity: schemaRule.severity, path, pointer, message };
}

/** A text that may have Markdown, with the problems that other rules found. */
interface MarkdownText extends CheckedText {
  readonly diagrams: readonly Diagram[];
  readonly problems: readonly Problem[];
}

/** Loads the Markdown parser, which few texts need. */
async function markdownProblems(
  texts: readonly MarkdownText[],
  counts: Map<string, number>,
): Promise<Problem[]> {
  const { parseText } = await import('../content/markdown.ts');
  return texts.flatMap(({ problems, ...checked }) => {
    if (problems.some(({ rule }) => rule === formulaDelimiters.name)) return [];
    const found = problemsOf(
      markdownRules,
      { ...checked, parsed: parseText(checked.text) },
      counts,
    );
    return withoutOverlaps(found, partsOf(problems));
  });
}

/**
 * Calls for each formula of a text with its dollars: a part of `source`, which is the text. A formula between LaTeX's own
 * delimiters is a source of its own, with dollars in their place: what is wrong with it is reported together with them.
 *
 * @param visit called also with the offset of the formula in the text
 * @returns whether there is a backslash or an unclosed dollar outside the formulas between dollars
 */
function visitAllFormulas(
  text: string,
  visit: (source: string, start: number, end: number, offset: number) => void,
): boolean {
  const isLoose = visitFormulas(text, (start, end) => visit(text, start, end, start)) >= 0;
  if (!isLoose) return false;
  for (const { tex = '', dollars, start, isProse } of bracketFormulas(text)) {
    if (isProse || tex.trim() === '' || tex.includes('$')) continue;
    const formula = dollars + tex + dollars;
    // A backslash and a bracket are as long as two dollars.
    visit(formula, 0, formula.length, start + 2 - dollars.length);
  }
  return true;
}

/** Reports every place of an invalid formula in a paper. @param invalid hashes of the formulas that KaTeX rejects */
function formulaProblems(
  { path, placed }: PaperTexts,
  invalid: ReadonlySet<number>,
  problemOf: FormulaCheck,
  counts: Map<string, number>,
): Problem[] {
  const problems: Problem[] = [];
  for (const { texts, pointer } of placed) {
    visitTexts(texts, (text, below) => {
      if (text.length > bounds.text) return;
      let all: readonly Span[] | undefined;
      let withoutDelimiters: readonly Span[] = [];
      let isOpen: boolean | undefined;
      visitAllFormulas(text, (source, start, end, offset) => {
        if (!invalid.has(formulaHash(source, start, end))) return;
        const formula = source.slice(start, end);
        const problem = problemOf(formula);
        const rule = problem?.kind === 'unset' ? formulaRule : formulaCharacters;
        if (isSpent(rule.name, path, counts)) return;
        const at = { path, pointer: `${pointer}${below()}`, text };
        if (!all) {
          const ofText = textProblems(at, true);
          all = partsOf(ofText);
          withoutDelimiters = partsOf(ofText.filter(({ rule }) => rule !== formulaDelimiters.name));
        }
        const isBracketed = source !== text;
        // Where a dollar is missing, it is not clear what is a formula.
        isOpen ??= formulasOf(text).openAt >= 0;
        if (!isBracketed && isOpen) return;
        const others = isBracketed ? withoutDelimiters : all;
        const { tex, start: texStart, end: texEnd } = formulaOf(formula, offset);
        if (overlaps(others, { start: texStart, end: texEnd })) return;
        const checked = { ...at, tex, start: texStart, problem };
        problems.push(...problemsOf([rule], checked, counts));
      });
    });
  }
  // A character that the fonts lack is one problem of a file, however often it occurs.
  const kindOf = ({ rule, message }: Problem) =>
    rule === formulaCharacters.name ? message : undefined;
  return groupFindings(
    problems.map((problem) => [kindOf(problem), problem] as const),
    2,
  );
}

/** What begins emphasis, code, links, images and addresses; a heading, quote, list, rule or table; and indented code. */
const markdownSigns = joined([
  /[*`]|\]\(|\]:|<[^\s<>]{1,200}[:@]/,
  /(?:^|\n)[ \t]*(?:#|>|=|~~~|\||:?-[-:| \t]*(?:\n|$)|[-+](?:\s|$)|\d{1,9}[.)](?:\s|$))/,
  /(?:^|(?:^|\n)[ \t]*\n)(?: {4}| {0,3}\t)/,
]);

/** Faster: a text that fits neither has no Markdown but paragraphs and line breaks. */
const anyMarkdown = /[*`\]<\n]/;
const markdownAtStart = /^[ \t]*(?:[#>=~|:+-]|\d{1,9}[.)])|^(?: {4}| {0,3}\t)/;

/** A text that matches neither this nor `markdownAtStart` breaks none of the rules. One expression reads a text once. */
const concerns = joined([...textRules.flatMap((rule) => rule.concerns ?? []), anyMarkdown]);

/** Matches what any of the expressions matches. */
function joined(expressions: readonly RegExp[]): RegExp {
  return new RegExp(expressions.map(({ source }) => `(?:${source})`).join('|'));
}

/**
 * Whether a text may break a rule or have Markdown. For nearly all texts, this test is enough.
 *
 * @param isLoose whether there is a backslash or an unclosed dollar outside the formulas
 */
export function mayConcern(text: string, isLoose: boolean): boolean {
  return isLoose || concerns.test(text) || markdownAtStart.test(text);
}

/** Whether a text may have Markdown other than paragraphs and line breaks. */
export function mayHaveMarkdown(text: string): boolean {
  if (!anyMarkdown.test(text) && !markdownAtStart.test(text)) return false;
  return markdownSigns.test(text.includes('$') ? proseOf(text, 'x') : text);
}

/**
 * The problems of a text. Several rules may find the same mistake: of problems that overlap, only the first is returned.
 *
 * @param isLoose as above
 * @param counts as `problemsOf` takes them
 * @param among the rules to apply
 */
export function textProblems(
  text: CheckedText,
  isLoose: boolean,
  counts?: Map<string, number>,
  among = textRules,
): Problem[] {
  const rules = among.filter(
    (rule) => (isLoose && rule.concernsLoose) || rule.concerns?.test(text.text),
  );
  return withoutOverlaps(problemsOf(rules, text, counts));
}

/**
 * @param marked parts that problems were found in before: others that overlap them are not returned. They are few, because
 * a rule has a bounded number of findings in a file
 */
export function withoutOverlaps(problems: Iterable<Problem>, marked: Span[] = []): Problem[] {
  return [...problems].filter(({ part }) => {
    if (part?.of !== 'value') return true;
    if (overlaps(marked, part)) return false;
    marked.push(part);
    return true;
  });
}

function overlaps(marked: readonly Span[], { start, end }: Span): boolean {
  return marked.some((other) => other.start < end && other.end > start);
}

/** The parts of a text that problems are in. */
export function partsOf(problems: readonly Problem[]): Span[] {
  return problems.flatMap(({ part }) => (part?.of === 'value' ? part : []));
}
