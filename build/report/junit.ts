import { join } from 'node:path';
import type { Diagnostic, Report } from '../check/diagnostic.ts';
import { problemText, type ReportSetting } from './text.ts';
import { summaryLine, visible, visibleLines } from './wording.ts';

/** A test case: it fails with its message, or passes with something to say. */
interface Case {
  readonly name: string;
  readonly failure?: string;
  readonly text: string;
}

/**
 * The report as JUnit XML, in the form of Jenkins' schema (junit-10.xsd): a suite a file, a case a problem,
 * since CI systems show one failure a case. A warning is a case that passes and says so in its output. A case
 * is named after rule and pointer, so that it is the same one when lines move; no two have the same name,
 * since GitLab counts only the first. Content without a problem is one case that passes.
 */
export function junitReport(
  { diagnostics, summary }: Report,
  setting: Pick<ReportSetting, 'contentDir' | 'width'>,
): string {
  const suites = [...byFile(diagnostics)].map(([file, problems]) =>
    suiteElement(visible(join(setting.contentDir, file)), casesOf(problems, setting)),
  );
  if (suites.length === 0) {
    const passed = { name: 'no problem was found', text: summaryLine(summary) };
    suites.push(suiteElement(visible(setting.contentDir), [passed]));
  }
  const counts = { tests: Math.max(1, diagnostics.length), failures: summary.errors, errors: 0, time: 0 };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', { name: 'pastpaper', ...counts }, `\n${suites.join('')}`)}`;
}

function byFile(diagnostics: readonly Diagnostic[]): Map<string, Diagnostic[]> {
  const files = new Map<string, Diagnostic[]>();
  for (const problem of diagnostics) {
    const problems = files.get(problem.file);
    if (problems) problems.push(problem);
    else files.set(problem.file, [problem]);
  }
  return files;
}

function casesOf(
  problems: readonly Diagnostic[],
  { contentDir, width }: Pick<ReportSetting, 'contentDir' | 'width'>,
): Case[] {
  const times = new Map<string, number>();
  return problems.map((problem) => {
    const { rule, pointer, severity, message } = problem;
    const name = visible(pointer === '' ? rule : `${rule} ${pointer}`);
    const time = (times.get(name) ?? 0) + 1;
    times.set(name, time);
    return {
      name: time === 1 ? name : `${name} (${time})`,
      ...(severity === 'error' && { failure: visibleLines(message).join('\n') }),
      text: problemText(problem, { contentDir, width, colour: false }),
    };
  });
}

function suiteElement(path: string, cases: readonly Case[]): string {
  const failures = cases.filter(({ failure }) => failure !== undefined).length;
  const counts = { tests: cases.length, failures, errors: 0, time: 0 };
  const elements = cases.map((one) => caseElement(path, one));
  return element('testsuite', { name: path, file: path, ...counts }, `\n${elements.join('')}`);
}

function caseElement(path: string, { name, failure, text }: Case): string {
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
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${attributeOf(`${value}`)}"`);
  return `<${name}${written.join('')}>${content}</${name}>\n`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A text between tags, of visible characters and line breaks. */
function textOf(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
}

/** The same in an attribute, where a parser would read a line break as a space (XML 1.0, 3.3.3). */
function attributeOf(text: string): string {
  return textOf(text).replaceAll('\n', '&#10;');
}
