import { visible } from '../report/wording.ts';
import {
  breakingChanges,
  type ChangeReport,
  formatWords,
  type Row,
  type Section,
  sectionsOf,
  shortened,
} from './report.ts';

/** Characters of a commit's hash that are shown. */
const hashLength = 10;
/** Characters of a quotation. */
const pieceLength = 100;

/** Formats a change report for a terminal. Content is escaped, so that it cannot control the terminal or a CI log. */
export function changesAsText(report: ChangeReport): string {
  const sections = sectionsOf(report);
  const heading = `Content since ${visible(report.ref)} (${report.commit.slice(0, hashLength)})`;
  if (sections.length === 0) return `${heading}: no changes in what a release serves.\n`;
  const sum = `${breakingChanges(sections) ?? 'No breaking changes'} for clients that store ids.\n`;
  return [`${heading}\n`, ...sections.map(sectionText), sum].join('\n');
}

function sectionText({ title, isBreaking, sum, rows }: Section): string {
  const lines = [`${isBreaking ? 'BREAKING: ' : ''}${title}: ${rows.length}${sum ? ` (${sum})` : ''}`];
  for (const [index, row] of rows.entries()) {
    if (row.path !== rows[index - 1]?.path) lines.push(`  - ${visible(row.path)}`);
    const text = rowText(row);
    if (text !== '') lines.push(`      - ${text}`);
  }
  return `${lines.join('\n')}\n`;
}

function rowText({ question, before, after, note }: Row): string {
  const change = before && after ? `${formatWords(before, quoted)} -> ${formatWords(after, quoted)}` : '';
  const subject = [question === undefined ? '' : visible(question), change].filter(Boolean).join(': ');
  if (!note) return subject;
  const words = formatWords(note, quoted);
  return subject === '' ? words : `${subject} (${words})`;
}

function quoted(text: string): string {
  return text === '' ? 'none' : visible(shortened(text, pieceLength));
}
