/** The reports for GitHub Actions, for CI systems that read JUnit XML, and for other programs. */
import { join } from 'node:path';
import { countSeverities, type Diagnostic, type Report } from '../check/diagnostic.ts';
import { groupBy } from '../content/groups.ts';
import { didYouMean, placeOf, problemText, type TextSetting } from './text.ts';
import { count, severityCounts, summaryLine, visible, visibleLines } from './wording.ts';

/** GitHub shows so many annotations of a step, and ignores the others. */
const shownByGitHub = 10;

const rank = { error: 0, warning: 1 } as const;

/**
 * The report for the log of a step of GitHub Actions: the most important problems as workflow commands, which
 * become annotations, then what is left, and a line that counts everything.
 */
export function githubReport(
  { diagnostics, summary }: Report,
  { contentDir }: { contentDir: string },
): string {
  const byImportance = diagnostics.toSorted((a, b) => rank[a.severity] - rank[b.severity]);
  const lines = byImportance
    .slice(0, shownByGitHub)
    .map((problem) => annotation(problem, contentDir));
  const left = byImportance.slice(shownByGitHub);
  if (left.length > 0) lines.push(leftLine(left));
  return [...lines, summaryLine(summary), ''].join('\n');
}

function annotation(problem: Diagnostic, contentDir: string): string {
  const { severity, rule, file, line, column, endLine, endColumn } = problem;
  // The runner accepts columns only of a range on one line.
  const columns = line === endLine ? { col: column, endColumn } : {};
  const properties = {
    file: visible(join(contentDir, file)),
    line,
    endLine,
    ...columns,
    title: rule,
  };
  const written = Object.entries(properties).map(
    ([name, value]) => `${name}=${escapeProperty(String(value))}`,
  );
  return `::${severity} ${written.join(',')}::${escapeData(messageOf(problem, contentDir))}`;
}

function messageOf(
  { message, suggestion, isTyped, related = [] }: Diagnostic,
  contentDir: string,
): string {
  const parts = [message];
  if (suggestion) parts.push(didYouMean(suggestion, undefined, isTyped));
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

/**
 * The report as JUnit XML, in the form of Jenkins' schema (junit-10.xsd): a suite for each file and a case for each
 * problem, since CI systems show one failure of a case. A warning is a case that passes, with output. A case is named
 * after rule and pointer, so that it stays the same when lines move; names are unique, since GitLab counts only the
 * first. Content without a problem is one case that passes.
 */
export function junitReport(
  { diagnostics, summary }: Report,
  setting: Omit<TextSetting, 'colour'>,
): string {
  const { contentDir, width } = setting;
  const files = groupBy(diagnostics, ({ file }) => file);
  const suites = Array.from(files, ([file, problems]) => {
    const path = visible(join(contentDir, file));
    const times = new Map<string, number>();
    const cases = problems.map((problem) => {
      const { rule, pointer, severity, message } = problem;
      const name = visible(pointer === '' ? rule : `${rule} ${pointer}`);
      const time = (times.get(name) ?? 0) + 1;
      times.set(name, time);
      const text = problemText(problem, { contentDir, width, colour: false });
      const failure = severity === 'error' ? visibleLines(message).join('\n') : undefined;
      return caseElement(path, time === 1 ? name : `${name} (${time})`, text, failure);
    });
    return suiteElement(path, cases, countSeverities(problems).errors);
  });
  if (suites.length === 0) {
    const path = visible(contentDir);
    suites.push(suiteElement(path, [caseElement(path, 'no problems', summaryLine(summary))], 0));
  }
  const counts = {
    tests: Math.max(1, diagnostics.length),
    failures: summary.errors,
    errors: 0,
    time: 0,
  };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', { name: 'pastpaper', ...counts }, `\n${suites.join('')}`)}`;
}

function suiteElement(path: string, cases: readonly string[], failures: number): string {
  const counts = { tests: cases.length, failures, errors: 0, time: 0 };
  return element('testsuite', { name: path, file: path, ...counts }, `\n${cases.join('')}`);
}

function caseElement(path: string, name: string, text: string, failure?: string): string {
  const content =
    failure === undefined
      ? element('system-out', {}, textOf(text))
      : element('failure', { type: 'error', message: failure }, textOf(text));
  return element('testcase', { classname: path, name, time: 0 }, `\n${content}`);
}

/** @param content is XML already */
function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  content: string,
): string {
  const written = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${attributeOf(String(value))}"`,
  );
  return `<${name}${written.join('')}>${content}</${name}>\n`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** A text between tags, of visible characters and line breaks. */
function textOf(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
}

/** The same in an attribute, where a parser would read a line break as a space (XML 1.0, 3.3.3). */
function attributeOf(text: string): string {
  return textOf(text).replaceAll('\n', '&#10;');
}

/** The report for programs, on one line. */
export function jsonReport({ diagnostics, summary }: Report): string {
  return `${JSON.stringify({ diagnostics: diagnostics.map(diagnosticFields), summary })}\n`;
}

/** The documented fields, in their order. Absent ones are left out. */
function diagnosticFields({ excerpt, fix, fixes, isTyped, related, ...fields }: Diagnostic) {
  const places = related?.map(({ file, line, column, message }) => ({
    file,
    line,
    column,
    message,
  }));
  return { ...fields, related: places };
}
