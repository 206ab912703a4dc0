import { visible } from '../report/wording.ts';
import {
  breakingChanges,
  type ChangeReport,
  formatWords,
  type Row,
  type Section,
  sectionsOf,
  shortened,
  type Words,
} from './report.ts';

/** Characters of a commit's hash that are shown. */
const hashLength = 10;
/** Characters of a quotation, so that no row exceeds the size of a section. */
const pieceLength = 160;
/** Rows of a table that is not folded. */
const openRows = 10;
/** Bytes of a section's table: with all sections full, half of the 1 MiB that GitHub takes of a step. */
const sectionSize = 40 * 1024;

/**
 * Formats a change report in GitHub Flavored Markdown, for a pull request or a step's summary. Content appears in code
 * spans, so that it is never interpreted as markup, mention, formula or HTML. Long lists are cut, and the rest is counted.
 */
export function changesAsMarkdown(report: ChangeReport): string {
  const sections = sectionsOf(report);
  const heading = `## Content since ${code(report.ref)} (${code(report.commit.slice(0, hashLength))})\n`;
  if (sections.length === 0) return `${heading}\nNo changes in what a release serves.\n`;
  const breaking = breakingChanges(sections);
  const summary = `${breaking ? `**${breaking}**` : 'No breaking changes'} for clients that store ids.\n`;
  return [heading, summary, ...sections.map(sectionMarkdown)].join('\n');
}

function sectionMarkdown({ title, isBreaking, sum, rows }: Section): string {
  const heading = `### ${isBreaking ? 'Breaking: ' : ''}${title}: ${rows.length}\n`;
  const parts = [heading, ...(sum ? [`${sum}\n`] : []), folded(table(rows), rows.length)];
  return parts.join('\n');
}

function folded(markdown: string, rows: number): string {
  if (rows <= openRows) return markdown;
  return `<details>\n<summary>Show</summary>\n\n${markdown}\n</details>\n`;
}

const columns: readonly { readonly name: string; readonly cell: (row: Row) => string | undefined }[] = [
  { name: 'File', cell: ({ path }) => code(path) },
  { name: 'Question', cell: ({ question }) => question && code(question) },
  { name: 'Before', cell: ({ before }) => before && words(before) },
  { name: 'After', cell: ({ after }) => after && words(after) },
  { name: 'Note', cell: ({ note }) => note && words(note) },
];

function table(rows: readonly Row[]): string {
  const used = columns.filter(({ cell }) => rows.some((row) => cell(row) !== undefined));
  const lines = [line(used.map(({ name }) => name)), line(used.map(() => '---'))];
  let size = 0;
  let shown = 0;
  for (const row of rows) {
    const text = line(used.map(({ cell }) => cell(row) ?? ''));
    size += Buffer.byteLength(text);
    if (size > sectionSize) break;
    lines.push(text);
    shown += 1;
  }
  const rest = rows.length - shown;
  return `${lines.join('')}${rest > 0 ? `\n${rest} more are not shown here; the report as text has them all.\n` : ''}`;
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |\n`;
}

function words(pieces: Words): string {
  return formatWords(pieces, (text) => (text === '' ? '_none_' : code(text)));
}

/**
 * A text as code, in which GitHub finds neither markup nor mentions nor formulas. A bar would end the cell
 * of a table also in a code span, where a backslash stands before it readers differ, and between a dollar at
 * the end of one span and the beginning of another GitHub may see a formula: such a text is an element of
 * HTML whose signs are character references, which are never markup (CommonMark, 2.5).
 */
function code(text: string): string {
  const shown = visible(shortened(text, pieceLength));
  if (!/[`|$]|^ | $/.test(shown)) return `\`${shown}\``;
  return `<code>${shown.replace(/[!-,.:-@[-`{-~]/g, (sign) => `&#${sign.charCodeAt(0)};`)}</code>`;
}
