/** Formats the changes of a content folder for a terminal, and in Markdown. */
import { count, visible } from '../report/wording.ts';

/** The changes since a commit. */
export interface ChangeReport {
  /** As given by the user. */
  readonly ref: string;
  /** The commit it resolves to, in hex. */
  readonly commit: string;
  /** The most important first; none when nothing changed. */
  readonly sections: readonly Section[];
}

/** One kind of change, with a row for each. */
export interface Section {
  readonly title: string;
  /** Whether a stored id or URL stops working. */
  readonly isBreaking?: boolean;
  /** Summary of the rows, where their number is not enough. */
  readonly sum?: string;
  /** In the order of their paths. */
  readonly rows: readonly Row[];
}

export interface Row {
  /** Path of the file. */
  readonly path: string;
  /** Its id. */
  readonly question?: string;
  readonly before?: Words;
  readonly after?: Words;
  readonly note?: Words | undefined;
}

/** Text of the report, and quotations from the content. */
export type Words = readonly (string | { readonly quoted: string })[];

/** Characters of a commit's hash that are shown. */
const hashLength = 10;

/** Characters of a quotation. In Markdown, no row may exceed the size of a section. */
const quotationLength = { text: 100, markdown: 160 } as const;

/** Formats a change report for a terminal. Content is escaped, so that it cannot control the terminal or a CI log. */
export function changesAsText({ ref, commit, sections }: ChangeReport): string {
  const heading = `Content since ${visible(ref)} (${commit.slice(0, hashLength)})`;
  if (sections.length === 0) return `${heading}: no changes in what a release serves.\n`;
  const sum = `${breakingChanges(sections) ?? 'No breaking changes'} for clients that store ids.\n`;
  return [`${heading}\n`, ...sections.map(sectionText), sum].join('\n');
}

/** The number of changes that break what users stored, as `4 breaking changes`; undefined when there are none. */
function breakingChanges(sections: readonly Section[]): string | undefined {
  const rows = sections.filter(({ isBreaking }) => isBreaking).flatMap((section) => section.rows);
  return rows.length === 0 ? undefined : count(rows.length, 'breaking change');
}

function sectionText({ title, isBreaking, sum, rows }: Section): string {
  const lines = [
    `${isBreaking ? 'BREAKING: ' : ''}${title}: ${rows.length}${sum ? ` (${sum})` : ''}`,
  ];
  for (const [index, row] of rows.entries()) {
    if (row.path !== rows[index - 1]?.path) lines.push(`  - ${visible(row.path)}`);
    const text = rowText(row);
    if (text !== '') lines.push(`      - ${text}`);
  }
  return `${lines.join('\n')}\n`;
}

function rowText({ question, before, after, note }: Row): string {
  const change = before && after ? `${wordsText(before)} -> ${wordsText(after)}` : '';
  const subject = [question === undefined ? '' : visible(question), change]
    .filter(Boolean)
    .join(': ');
  if (!note) return subject;
  return subject === '' ? wordsText(note) : `${subject} (${wordsText(note)})`;
}

function wordsText(words: Words): string {
  return formatWords(words, (text) =>
    text === '' ? 'none' : visible(shortened(text, quotationLength.text)),
  );
}

/** @param format a quotation */
function formatWords(words: Words, format: (quotation: string) => string): string {
  return words.map((piece) => (typeof piece === 'string' ? piece : format(piece.quoted))).join('');
}

/** The beginning of a text, with `…` where something was left out. @param length in Unicode characters */
function shortened(text: string, length: number): string {
  const characters = [...text.slice(0, 2 * (length + 1))];
  return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : text;
}

/** Rows of a table that is not folded. */
const openRows = 10;

/** Bytes of a section's table: with all sections full, half of the 1 MiB that GitHub accepts for a step. */
const sectionSize = 40 * 1024;

/**
 * Formats a change report in GitHub Flavored Markdown, for a pull request or a step's summary. Content appears in code
 * spans, so that it is never interpreted as markup, mention, formula or HTML. Long lists are cut, and the rest is
 * counted.
 */
export function changesAsMarkdown({ ref, commit, sections }: ChangeReport): string {
  const heading = `## Content since ${code(ref)} (${code(commit.slice(0, hashLength))})\n`;
  if (sections.length === 0) return `${heading}\nNo changes in what a release serves.\n`;
  const breaking = breakingChanges(sections);
  const summary = `${breaking ? `**${breaking}**` : 'No breaking changes'} for clients that store ids.\n`;
  return [heading, summary, ...sections.map(sectionMarkdown)].join('\n');
}

function sectionMarkdown({ title, isBreaking, sum, rows }: Section): string {
  const heading = `### ${isBreaking ? 'Breaking: ' : ''}${title}: ${rows.length}\n`;
  const summary = sum ? `${sum}\n\n` : '';
  const rowsTable = table(rows);
  const list =
    rows.length <= openRows
      ? rowsTable
      : `<details>\n<summary>Show</summary>\n\n${rowsTable}\n</details>\n`;
  return `${heading}\n${summary}${list}`;
}

const columns: readonly {
  readonly name: string;
  readonly cell: (row: Row) => string | undefined;
}[] = [
  { name: 'File', cell: ({ path }) => code(path) },
  { name: 'Question', cell: ({ question }) => question && code(question) },
  { name: 'Before', cell: ({ before }) => before && wordsMarkdown(before) },
  { name: 'After', cell: ({ after }) => after && wordsMarkdown(after) },
  { name: 'Note', cell: ({ note }) => note && wordsMarkdown(note) },
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

function wordsMarkdown(words: Words): string {
  return formatWords(words, (text) => (text === '' ? '_none_' : code(text)));
}

/**
 * A text as code. In a code span, a bar would end the cell of a table, and GitHub may find a formula between dollars:
 * a text with such a sign is an HTML element, whose signs are character references (CommonMark, 2.5).
 */
function code(text: string): string {
  const shown = visible(shortened(text, quotationLength.markdown));
  if (!/[`|$]|^ | $/.test(shown)) return `\`${shown}\``;
  return `<code>${shown.replace(/[!-,.:-@[-`{-~]/g, (sign) => `&#${sign.charCodeAt(0)};`)}</code>`;
}
