import type { FoundContent } from '../content/find.ts';
import { bankRules } from '../rules/bank.ts';
import { withoutEchoes } from '../rules/echo.ts';
import { problemsOf } from '../rules/rule.ts';
import { bankFacts } from './bank-facts.ts';
import { byPlace, type Diagnostic, locate, type Report } from './diagnostic.ts';
import type { Examined } from './examine-content.ts';
import type { Scope } from './scope.ts';
import { sources } from './sources.ts';

/** Holds the bank as a whole against its rules, and puts everything together that is wrong. */
export async function checkContent(
  contentDir: string,
  content: FoundContent,
  scope: Scope,
  { exams, papers, others, diagnostics: ofFiles }: Examined,
): Promise<Report> {
  const facts = bankFacts(contentDir, content, exams, [...papers, ...others]);
  const sourceOf = sources(contentDir);
  const ofBank = [...problemsOf(bankRules, facts)].map((problem) => locate(problem, sourceOf));
  const found = [
    ...ofFiles.filter(({ file }) => scope.concerns(file)),
    ...ofBank.filter(({ file, related = [] }) =>
      [file, ...related.map((place) => place.file)].some(scope.concernsInBank),
    ),
  ];
  const kept = content.hasExceptions ? await withoutExceptions(contentDir, scope, found) : found;
  const diagnostics = withoutEchoes(kept);
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  const validated = papers.filter(({ path }) => scope.concerns(path));
  return {
    diagnostics: diagnostics.sort(byPlace),
    summary: {
      files: content.exams.filter(({ path }) => scope.concerns(path)).length + validated.length,
      questions: validated.reduce((sum, { questions }) => sum + questions, 0),
      errors,
      warnings: diagnostics.length - errors,
    },
  };
}

/** Most banks make no exceptions, and load nothing for them. */
async function withoutExceptions(
  contentDir: string,
  scope: Scope,
  found: readonly Diagnostic[],
): Promise<Diagnostic[]> {
  const { except, readExceptions } = await import('./exceptions.ts');
  return except(contentDir, await readExceptions(contentDir), found, scope.concerns);
}
