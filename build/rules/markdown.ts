/** Rules on the Markdown of texts: what the subset does not have, emphasis that was not meant, and places of diagrams. */
import { nearest } from '../command-line/nearest.js';
import bounds from '../content/bounds.json' with { type: 'json' };
import { proseOf } from '../content/formulas.ts';
import type { Branch, Construct, ParsedText, TextNode } from '../content/markdown.ts';
import type { Span } from '../content/positions.ts';
import type { Diagram } from '../content/written.ts';
import {
  type CheckedText,
  type Finding,
  type Rule,
  spanOf,
  type TextRule,
  textFinding,
} from './rule.ts';

export interface CheckedMarkdown extends CheckedText {
  readonly parsed: ParsedText;
  readonly diagrams: readonly Diagram[];
}

const markdown: Rule<CheckedMarkdown> = {
  name: 'markdown',
  description:
    'Text uses only Markdown that every app shows: paragraphs, line breaks, bold, italics, lists, tables and diagrams.',
  severity: 'error',
  example: { wrong: '"value": "> 5"', right: '"value": "\\\\> 5"' },
  *check(checked) {
    for (const { construct, start, end } of checked.parsed.outside)
      yield outsideFinding(checked, construct, { start, end });
    yield* listFindings(checked, checked.parsed.parts);
    yield* tableFindings(checked);
  },
};

function outsideFinding(checked: CheckedText, construct: Construct, span: Span): Finding {
  const { start, end } = span;
  const written = checked.text.slice(start, end);
  const finding = (message: string, suggestion?: string, length = written.length) =>
    textFinding(checked, { start, end: start + length }, message, suggestion);
  switch (construct) {
    case 'heading': {
      const [sign = ''] = /^#+/.exec(written) ?? [];
      const [, words] = /^#+[ \t]+(\p{Lu}[^\n*$]{0,200}?)[ \t#]*$/u.exec(written) ?? [];
      if (words !== undefined)
        return finding(
          'Headings are not supported. Write bold words instead: **...**.',
          `**${words}**`,
        );
      return finding(asLiteral('a heading', '#'), `\\${sign}`, sign.length);
    }
    case 'quote':
      return finding(asLiteral('a quotation', '>'), '\\>');
    case 'underline':
      return finding(
        `Markdown makes the line above a heading. ${escapeAdvice(written[0] ?? '')}`,
        `\\${written}`,
      );
    case 'rule':
      return finding(
        asLiteral('a line across the page', written[0] ?? ''),
        escaped(written, /^[-*]|\*/g),
      );
    case 'code':
      return finding(
        'Code is not supported. Write \\\\` for the character `.',
        /^[`~]{3}/.test(written) ? undefined : escaped(written, /`/g),
      );
    case 'indent': {
      const [indent = ''] = /^\s*\S*/.exec(written) ?? [];
      return finding(
        'Markdown reads a line that begins with four spaces as code. Remove the spaces.',
        indent.trim(),
        indent.length,
      );
    }
    case 'link': {
      const [, words] = /^\[([^\]]*)\]\((?:[a-z]+:|\/|www\.)/i.exec(written) ?? [];
      if (words !== undefined)
        return finding('Links are not supported. Write only the words.', words);
      const at =
        Math.max(written.lastIndexOf(']('), written.lastIndexOf(']:')) + 1 ||
        written.indexOf(']') + 1;
      return finding(
        'Markdown makes this a link, and hides its second part. Write \\\\] for the first closing bracket.',
        `${written.slice(0, at - 1)}\\${written.slice(at - 1)}`,
      );
    }
    case 'definition':
      return finding(
        'Markdown hides this line: it is the address of a link. Write \\\\] for the bracket.',
        written.replace(']:', '\\]:'),
      );
    case 'address':
      return finding(
        'Links are not supported. Write the address without < and >.',
        written.slice(1, -1),
      );
    case 'depth':
      return finding('Lists are nested too deeply here. Use fewer levels.');
    case 'signs':
      return finding(
        `The text has more than ${bounds.markdownSigns} signs of Markdown. Nothing else in it was checked.`,
      );
  }
}

function asLiteral(shown: string, sign: string): string {
  return `Markdown turns this line into ${shown}, and hides the ${sign} at its start. ${escapeAdvice(sign)}`;
}

/** As in a JSON file, where a backslash is written twice. */
function escapeAdvice(sign: string): string {
  return `Write \\\\${sign} for the character ${sign}.`;
}

function escaped(text: string, signs: RegExp): string {
  return text.replace(signs, (sign, at: number) => (text[at - 1] === '\\' ? sign : `\\${sign}`));
}

/** Lists in which Markdown hides a sign or changes a number. */
function* listFindings(checked: CheckedText, parts: readonly TextNode[]): Generator<Finding> {
  for (const list of branchesOf(parts)) {
    if (list.kind !== 'list') continue;
    const markers = list.children.flatMap((item) => (item.kind === 'item' ? [item.marker] : []));
    const [first] = markers;
    if (!first) continue;
    const sign = checked.text.slice(first.start, first.end);
    if (list.first === undefined && markers.length === 1 && parts.includes(list)) {
      const message = `Markdown turns this line into a list, and shows a dot instead of the ${sign}. ${escapeAdvice(sign)}`;
      yield textFinding(checked, first, message, `\\${sign}`);
    }
    if (list.first === undefined) continue;
    if (checked.text.slice(list.start, list.end).trim() === sign) {
      const number = sign.slice(0, -1);
      const end = sign.slice(-1);
      const message = `Markdown makes this an item of a list that has no text. Write ${number}\\\\${end} for a number.`;
      yield textFinding(checked, first, message, `${number}\\${end}`);
      continue;
    }
    let expected = list.first;
    for (const marker of markers) {
      const written = checked.text.slice(marker.start, marker.end);
      const number = written.slice(0, -1);
      if (number !== String(expected)) {
        const sign = written.slice(-1);
        const reason = `Markdown shows this number as ${expected}, because it numbers list items itself.`;
        const message = `${reason} Write ${number}\\\\${sign} to keep the number.`;
        yield textFinding(checked, marker, message, `${number}\\${sign}`);
      }
      expected += 1;
    }
  }
}

function* tableFindings(checked: CheckedMarkdown): Generator<Finding> {
  for (const table of branchesOf(checked.parsed.parts)) {
    if (table.kind !== 'table') continue;
    const [header, ...rows] = table.children.flatMap((row) => ('children' in row ? [row] : []));
    const columns = header?.children.length ?? 0;
    for (const row of rows) {
      const { start, end } = row;
      const written = checked.text.slice(start, end);
      if (columns > 1 && !proseOf(written).includes('|')) {
        const message =
          'Markdown makes this line a row of the table above. Leave a blank line after the table.';
        yield textFinding(checked, row, message, `\n${written}`);
      }
      const more = row.children[columns];
      if (!more) continue;
      const message = `The header of this table has ${columns} cells. Markdown hides additional cells of a row.`;
      yield textFinding(
        checked,
        { start: more.start, end: row.children.at(-1)?.end ?? end },
        message,
      );
    }
  }
  for (const { kind, start, end } of leavesOf(checked.parsed.parts)) {
    if (kind !== 'words' || !delimiterRow.test(checked.text.slice(start, end).trim())) continue;
    const message =
      'This is not a table, because the line above does not have the same number of cells.';
    yield textFinding(checked, { start, end }, message);
  }
}

const delimiterRow = /^\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)+\|?$/;

const emphasis: Rule<CheckedMarkdown> = {
  name: 'emphasis',
  description:
    'Asterisks make words bold (**word**) or italic (*word*). An asterisk in a calculation is written \\*.',
  severity: 'error',
  example: { wrong: '"value": "2*x*3"', right: '"value": "2\\\\*x\\\\*3"' },
  *check(checked) {
    const { text, parsed } = checked;
    const prose = proseOf(text);
    for (const { kind, start, end } of branchesOf(parsed.parts)) {
      if (kind !== 'strong' && kind !== 'emphasis') continue;
      const isAfter = /[\p{sc=Latin}\p{sc=Greek}\p{N}$)\]}]/u.test(text[start - 1] ?? '');
      const isBefore = /[\p{sc=Latin}\p{sc=Greek}\p{N}]/u.test(text[end] ?? '');
      if (!isAfter && !isBefore) continue;
      // A word that is bold in part, such as the name of a vector: no power.
      if (kind === 'strong' && !isBefore && isInWord.test(text.slice(start - 1, start + 3)))
        continue;
      const shown = kind === 'strong' ? 'bold' : 'italic';
      const message = `Markdown makes this ${shown} and hides the asterisks. Write \\\\* for an asterisk.`;
      yield textFinding(checked, { start, end }, message, withStars(text, prose, start, end));
    }
    yield* unpairedFindings(checked);
  },
};

const isInWord = /^\p{L}\*\*\p{L}$/u;

/** Asterisks that were meant to make words bold and do not. */
function* unpairedFindings(checked: CheckedMarkdown): Generator<Finding> {
  const { text } = checked;
  const prose = proseOf(text, 'x');
  const isWord = (character: string) => /[\p{L}\p{N}]/u.test(character);
  let open: number | undefined;
  let spaced: number | undefined;
  for (const at of literalPairs(checked)) {
    const before = prose[at - 1] ?? ' ';
    const after = prose[at + 2] ?? ' ';
    // More asterisks are a line of them, and two between letters or between spaces a power.
    const opens = /[^\s*]/.test(after) && !isWord(before) && before !== '*';
    const closes = /[^\s*]/.test(before) && !isWord(after) && after !== '*';
    if (
      open !== undefined &&
      /\S/.test(before) &&
      isWord(after) &&
      !/[\n|]/.test(prose.slice(open, at))
    ) {
      const message = 'This is not bold, because Markdown needs a space after the last asterisks.';
      yield textFinding(
        checked,
        { start: open, end: at + 2 },
        message,
        `${text.slice(open, at + 2)} `,
      );
      open = undefined;
    } else if (opens && !closes) {
      if (open !== undefined) yield unpairedFinding(checked, open);
      open = at;
    } else if (closes && !opens) yield unpairedFinding(checked, at);
    if (
      spaced !== undefined &&
      /^[ \t]+[^*|\n]*\p{L}{3}[^*|\n]*[ \t]+$/u.test(prose.slice(spaced, at))
    ) {
      const message =
        'This is not bold, because there are spaces between the words and the asterisks.';
      const words = text.slice(spaced, at).trim();
      yield textFinding(checked, { start: spaced - 2, end: at + 2 }, message, `**${words}**`);
      spaced = undefined;
    } else spaced = at + 2;
  }
  if (open !== undefined) yield unpairedFinding(checked, open);
}

function* literalPairs({ text, parsed }: CheckedMarkdown): Generator<number> {
  for (const { kind, start, end } of leavesOf(parsed.parts)) {
    if (kind !== 'words') continue;
    for (const { index } of text.slice(start, end).matchAll(/(?<!\\)\*\*/g)) yield start + index;
  }
}

function unpairedFinding(checked: CheckedText, start: number): Finding {
  const message =
    'Bold words are between two pairs of asterisks, but one pair is missing. Add it, or write \\\\*\\\\* for two asterisks.';
  return textFinding(checked, { start, end: start + 2 }, message);
}

/** A part of a text, with backslashes before its asterisks outside formulas. */
function withStars(text: string, prose: string, start: number, end: number): string {
  let result = '';
  for (let at = start; at < end; at += 1)
    result += prose[at] === '*' && prose[at - 1] !== '\\' ? '\\*' : text[at];
  return result;
}

const diagramPlace: Rule<CheckedMarkdown> = {
  name: 'diagram-place',
  description: 'A text contains only diagrams that its question lists, each once.',
  severity: 'error',
  example: {
    wrong: '"question": "... ![](https://example.org/circuit.png)"',
    right: '"question": "... ![](physics-07-circuit.png)"',
  },
  *check(checked) {
    const { text, parsed, diagrams } = checked;
    const names = diagrams.map((diagram) => diagram.file);
    const placed = new Map<string, number>();
    const seen = new Set<number>();
    for (const node of leavesOf(parsed.parts)) {
      if (node.kind !== 'diagram') continue;
      const { file, alt, hasTitle, start } = node;
      seen.add(start);
      const entry = diagrams.find((diagram) => diagram.file === file);
      const known = entry ? undefined : nearest(file, names);
      if (!entry) yield textFinding(checked, node, unknownDiagram(file), known && `![](${known})`);
      else if (hasTitle || (alt !== '' && alt !== entry.alt))
        yield textFinding(checked, node, bareDiagram, `![](${file})`);
      else if (placed.has(file))
        yield textFinding(checked, node, 'This diagram is already in this text.');
      placed.set(file, start);
    }
    for (const match of proseOf(text).matchAll(/(?<!\\)!\[[^\]\n]{0,1000}\]\([^)\n]{0,1000}\)?/g)) {
      if (seen.has(match.index)) continue;
      const message =
        'This does not insert a diagram. Write ![](file), with a file name without spaces.';
      yield textFinding(checked, spanOf(match), message);
    }
  },
};

const bareDiagram =
  'Leave the square brackets empty, and write only the file name in the parentheses. The alternative text belongs in "diagrams".';

function unknownDiagram(file: string): string {
  return /^[a-z][a-z0-9+.-]*:|\//i.test(file)
    ? 'Texts can contain only diagrams of the bank. Put the file into the folder "diagrams", ' +
        'list it in "diagrams" of the question, and write its name here.'
    : `The question does not list the diagram ${file}. Add it to "diagrams" of the question.`;
}

function* branchesOf(parts: readonly TextNode[]): Generator<Branch & Span> {
  for (const part of parts) {
    if (!('children' in part)) continue;
    yield part;
    yield* branchesOf(part.children);
  }
}

function* leavesOf(parts: readonly TextNode[]): Generator<Exclude<TextNode, Branch>> {
  for (const part of parts) {
    if ('children' in part) yield* leavesOf(part.children);
    else yield part;
  }
}

export const blankLines: TextRule = {
  name: 'blank-lines',
  description: 'Paragraphs are separated by one blank line. Additional ones are not shown.',
  severity: 'warning',
  example: {
    wrong: '"Statement I ...\\n\\n\\nStatement II ..."',
    right: '"Statement I ...\\n\\nStatement II ..."',
  },
  concerns: /\n[ \t]*\n[ \t]*\n/,
  *check(checked) {
    const message = 'More than one blank line is shown as one. Write two line breaks.';
    for (const match of proseOf(checked.text, 'x').matchAll(/\n(?:[ \t]*\n){2,}/g))
      yield { ...textFinding(checked, spanOf(match), message, '\n\n'), certain: true };
  },
};

/** On each text that may have Markdown. */
export const markdownRules: readonly Rule<CheckedMarkdown>[] = [markdown, emphasis, diagramPlace];
