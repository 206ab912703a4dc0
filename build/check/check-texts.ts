import { formulaOf, visitFormulas } from '../content/formulas.ts';
import { type PlacedTexts, visitTexts } from '../content/question.ts';
import type { DiagramReference } from '../content/types.ts';
import { formulaDelimiters } from '../rules/formula.ts';
import { markdownRules } from '../rules/markdown.ts';
import { type CheckedText, type FormulaProblem, type Problem, problemsOf } from '../rules/rule.ts';
import { formulaRules } from '../rules/rules.ts';
import { isMarked, mayConcern, mayHaveMarkdown, textProblems, withoutOverlaps } from '../rules/text.ts';
import { formulaHash } from './text-hash.ts';

/** Returns what KaTeX finds wrong with a formula, which is passed with its dollars. */
type FormulaCheck = (formula: string) => FormulaProblem | undefined;

export type LoadKatex = () => Promise<FormulaCheck>;

/** A paper whose texts are checked. */
export interface PaperTexts {
  readonly path: string;
  readonly questions: readonly PlacedTexts[];
}

/** What is wrong with the texts of a shift's papers. */
interface CheckedTexts {
  readonly problems: readonly Problem[];
  /** Hashes of formulas that KaTeX was asked about and accepts. */
  readonly newFormulas: readonly number[];
}

/**
 * Validates the texts of papers and the formulas in them.
 *
 * @param validFormulas hashes of formulas that KaTeX accepts; new ones are added
 * @param loadKatex called only if there are other formulas
 */
export async function checkTexts(
  papers: readonly PaperTexts[],
  validFormulas: Set<number>,
  loadKatex: LoadKatex = importKatex,
): Promise<CheckedTexts> {
  const problems: Problem[] = [];
  const unknown = new Map<number, string>();
  const marked: MarkdownText[] = [];
  for (const { path, questions } of papers) {
    for (const { question, pointer } of questions) {
      visitTexts(question, (text, below, hasMarkdown) => {
        const openAt = visitFormulas(text, (start, end) => {
          const hash = formulaHash(text, start, end);
          if (!validFormulas.has(hash) && !unknown.has(hash)) unknown.set(hash, text.slice(start, end));
        });
        const isLoose = openAt >= 0;
        const at = () => ({ path, pointer: `${pointer}${below()}`, text });
        const ofText = mayConcern(text, isLoose) ? textProblems(at(), isLoose) : [];
        problems.push(...ofText);
        if (hasMarkdown && mayHaveMarkdown(text))
          marked.push({ ...at(), diagrams: question.diagrams ?? [], problems: ofText });
      });
    }
  }
  if (marked.length > 0) problems.push(...(await markdownProblems(marked)));
  if (unknown.size === 0) return { problems, newFormulas: [] };
  const katex = await loadKatex();
  const found = new Map<string, FormulaProblem>();
  const invalid = new Set<number>();
  const newFormulas: number[] = [];
  for (const [hash, formula] of unknown) {
    const problem = katex(formula);
    if (problem) {
      found.set(formula, problem);
      invalid.add(hash);
    } else {
      validFormulas.add(hash);
      newFormulas.push(hash);
    }
  }
  // In another formula of the same shape, the problem is in another place.
  const problemOf = (formula: string) => found.get(formula) ?? katex(formula);
  if (invalid.size > 0)
    for (const paper of papers) problems.push(...formulaProblems(paper, invalid, problemOf));
  return { problems, newFormulas };
}

async function importKatex(): Promise<FormulaCheck> {
  return (await import('../rules/katex.ts')).formulaProblem;
}

/** A text that may have Markdown, with the problems that other rules found. */
interface MarkdownText extends CheckedText {
  readonly diagrams: readonly DiagramReference[];
  readonly problems: readonly Problem[];
}

/** Loads the Markdown parser, which few texts need. */
async function markdownProblems(texts: readonly MarkdownText[]): Promise<Problem[]> {
  const { parseText } = await import('../content/markdown.ts');
  return texts.flatMap(({ problems, ...checked }) => {
    if (problems.some(({ rule }) => rule === formulaDelimiters.name)) return [];
    const found = problemsOf(markdownRules, { ...checked, parsed: parseText(checked.text) });
    return withoutOverlaps(found, problems);
  });
}

/**
 * Reports every place of an invalid formula in a paper.
 *
 * @param invalid hashes of the formulas that KaTeX rejects
 */
function formulaProblems(
  { path, questions }: PaperTexts,
  invalid: ReadonlySet<number>,
  problemOf: FormulaCheck,
): Problem[] {
  const problems: Problem[] = [];
  for (const { question, pointer } of questions) {
    visitTexts(question, (text, below) => {
      let ofText: readonly Problem[] | undefined;
      visitFormulas(text, (start, end) => {
        if (!invalid.has(formulaHash(text, start, end))) return;
        const at = { path, pointer: `${pointer}${below()}`, text };
        ofText ??= textProblems(at, true);
        if (isReported(ofText, start, end)) return;
        const formula = text.slice(start, end);
        problems.push(
          ...problemsOf(formulaRules, { ...at, ...formulaOf(formula, start), problem: problemOf(formula) }),
        );
      });
    });
  }
  return problems;
}

/** Whether a rule on texts has reported something in a formula, or cannot tell where formulas are. */
function isReported(problems: readonly Problem[], start: number, end: number): boolean {
  return isMarked(problems, start, end) || problems.some(({ rule }) => rule === formulaDelimiters.name);
}
