import { hash } from 'node:crypto';
import { isAbsolute, join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Log, ReportingDescriptor, Result, Location as SarifLocation } from 'sarif';
import manifest from '../../package.json' with { type: 'json' };
import type { Diagnostic, Location, Report } from '../check/diagnostic.ts';
import type { RuleDescription } from '../rules/rule.ts';
import { didYouMean } from './text.ts';

/** Where relative paths start: the root of the repository, which only the reader of the report knows. */
const sourceRoot = '%SRCROOT%';

/**
 * The report as SARIF 2.1.0 (OASIS), with what GitHub code scanning asks for.
 *
 * A message's braces are not doubled, though section 3.11.5 would have it: GitHub and the viewers replace
 * placeholders only where a message has arguments, and show the text of others, LaTeX included, as it is.
 */
export function sarifReport(
  { diagnostics }: Report,
  {
    contentDir,
    rules,
  }: { readonly contentDir: string; readonly rules: readonly RuleDescription[] },
): string {
  const indexes = new Map(rules.map(({ name }, index) => [name, index]));
  const fingerprintOf = fingerprinter();
  const log: Log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Pastpaper',
            semanticVersion: manifest.version,
            rules: rules.map(descriptorOf),
          },
        },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: {
          [sourceRoot]: { description: { text: 'The root of the repository.' } },
        },
        results: diagnostics.map((problem) => ({
          ...resultOf(problem, indexes.get(problem.rule), contentDir),
          partialFingerprints: { 'ruleFilePointerMessage/v1': fingerprintOf(problem) },
        })),
      },
    ],
  };
  return `${JSON.stringify(log)}\n`;
}

function descriptorOf({ name, description, severity, example: { wrong, right } }: RuleDescription) {
  return {
    id: name,
    shortDescription: { text: description },
    fullDescription: { text: description },
    help: {
      text: `${description}\n\nWrong:\n\n${wrong}\n\nRight:\n\n${right}\n`,
      markdown: `${description}\n\nWrong:\n\n${fenced(wrong)}\n\nRight:\n\n${fenced(right)}\n`,
    },
    defaultConfiguration: { level: severity },
  } satisfies ReportingDescriptor;
}

/** A block of code in Markdown, whatever backticks it holds (CommonMark, 4.5). */
function fenced(code: string): string {
  const longest = Math.max(2, ...Array.from(code.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${code}\n${fence}`;
}

function resultOf(problem: Diagnostic, ruleIndex: number | undefined, contentDir: string): Result {
  const { rule, severity, pointer, related = [] } = problem;
  const location = physicalLocation(problem, contentDir);
  if (pointer !== '') location.logicalLocations = [{ fullyQualifiedName: pointer }];
  const result: Result = {
    ruleId: rule,
    level: severity,
    message: { text: messageOf(problem) },
    locations: [location],
  };
  if (ruleIndex !== undefined) result.ruleIndex = ruleIndex;
  if (related.length > 0)
    result.relatedLocations = related.map((place, index) => {
      const message = { text: unlinked(place.message) };
      return { id: index + 1, ...physicalLocation(place, contentDir), message };
    });
  return result;
}

/** GitHub shows a related place only where the message links to it, by its id (3.11.6). */
function messageOf({ message, suggestion, isTyped, related = [] }: Diagnostic): string {
  const sentences = [unlinked(message)];
  if (suggestion) sentences.push(unlinked(didYouMean(suggestion, undefined, isTyped)));
  for (const [index, place] of related.entries())
    sentences.push(`[${place.message.replace(/[\\[\]]/g, '\\$&')}](${index + 1})`);
  return sentences.join(' ');
}

/** Keeps parts of content from becoming links. */
function unlinked(text: string): string {
  return text.replaceAll('](', '\\](');
}

function physicalLocation(place: Location, contentDir: string): SarifLocation {
  const { file, line, column, endLine, endColumn } = place;
  const path = join(contentDir, file);
  const segments = path.split(sep).map((segment) => encodeURIComponent(segment.toWellFormed()));
  return {
    physicalLocation: {
      artifactLocation: isAbsolute(path)
        ? { uri: pathToFileURL(path).href }
        : { uri: segments.join('/'), uriBaseId: sourceRoot },
      region: { startLine: line, startColumn: column, endLine, endColumn },
    },
  };
}

/** Identifies problems in later runs, whose lines may have moved. The occurrence tells equal problems apart. */
function fingerprinter(): (problem: Diagnostic) => string {
  const seen = new Map<string, number>();
  return ({ rule, file, pointer, message }) => {
    const identity = JSON.stringify([rule, file, pointer, message]);
    const occurrence = (seen.get(identity) ?? 0) + 1;
    seen.set(identity, occurrence);
    return `${hash('sha256', identity)}:${occurrence}`;
  };
}
