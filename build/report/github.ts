import { join } from 'node:path';
import { countSeverities, type Diagnostic, type Report } from '../check/diagnostic.ts';
import { didYouMean, placeOf, type ReportSetting } from './text.ts';
import { count, severityCounts, summaryLine, visibleLines } from './wording.ts';

/** GitHub shows so many annotations of a step, and ignores the others. */
const shownByGitHub = 10;

const rank = { error: 0, warning: 1 } as const;

/**
 * The report for the log of a step of GitHub Actions: the most important problems as workflow commands, which
 * become annotations, then what is left, and a line that counts everything.
 */
export function githubReport(
  { diagnostics, summary }: Report,
  { contentDir }: Pick<ReportSetting, 'contentDir'>,
): string {
  const byImportance = diagnostics.toSorted((a, b) => rank[a.severity] - rank[b.severity]);
  const lines = byImportance.slice(0, shownByGitHub).map((problem) => annotation(problem, contentDir));
  const left = byImportance.slice(shownByGitHub);
  if (left.length > 0) lines.push(leftLine(left));
  return [...lines, summaryLine(summary), ''].join('\n');
}

function annotation(problem: Diagnostic, contentDir: string): string {
  const { severity, rule, file, line, column, endLine, endColumn } = problem;
  // The runner accepts columns only of a range on one line.
  const columns = line === endLine ? { col: column, endColumn } : {};
  const properties = { file: join(contentDir, file), line, endLine, ...columns, title: rule };
  const written = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(`${value}`)}`);
  return `::${severity} ${written.join(',')}::${escapeData(messageOf(problem, contentDir))}`;
}

function messageOf({ message, suggestion, related = [] }: Diagnostic, contentDir: string): string {
  const parts = [message];
  if (suggestion) parts.push(didYouMean(suggestion));
  for (const place of related) parts.push(`${placeOf(contentDir, place)} ${place.message}`);
  return visibleLines(parts.join('\n')).join('\n');
}

function leftLine(left: readonly Diagnostic[]): string {
  const others = left.length === 1 ? 'problem' : count(left.length, 'problem');
  const counts = severityCounts(countSeverities(left));
  return `GitHub shows ${shownByGitHub} annotations per step. The SARIF report has the other ${others}: ${counts}.`;
}

/** What follows the second `::`, as the runner takes it apart (ActionCommand.cs of actions/runner). */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** The value of a property, which also ends at a comma and at a colon. */
function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
