/** Validates and renders a question or passage while it is written. */
import type { Diagnostic } from '../check/diagnostic.ts';
import type { ShiftFolder } from '../content/file.ts';
import { readShift } from '../content/file.ts';
import { Source } from '../content/positions.ts';
import { diagramsOf, fieldsOf, listOf } from '../content/question.ts';
import { html } from '../site/html.ts';
import { passageHtml, questionArticle } from '../site/paper/question.ts';
import type { LiveBank } from './bank.ts';
import { type Edit, type Item, isItem, parsePaper, withEdit } from './edit.ts';
import { type PreviewedPlace, previewedPaper, writtenQuestions } from './paper.ts';
import { diagramsOfShift } from './paper-page.ts';
import { problemsOf } from './problems.ts';

/** A problem as the form shows it. */
export interface DraftProblem {
  readonly rule: string;
  readonly severity: Diagnostic['severity'];
  readonly message: string;
  /** JSON pointer (RFC 6901) inside the edited item. */
  readonly pointer: string;
  /** What belongs in the place of the value, or of a part of it (UTF-16 units), if that is known. */
  readonly suggestion?: { readonly text: string; readonly start?: number; readonly end?: number };
}

/** What the form shows of a draft. */
export interface CheckedDraft {
  /** The item as students see it. */
  readonly html: string;
  readonly problems: readonly DraftProblem[];
}

/** The edits that have a form. */
export type DraftEdit = Extract<Edit, { item: Item }>;

/**
 * Checks a draft as if it were saved, and renders it with the code of the pages.
 *
 * @param bytes of the paper's file, as it is
 * @throws UserError when the file cannot be edited, or has no such item
 */
export async function checkDraft(
  bank: LiveBank,
  folder: ShiftFolder,
  place: PreviewedPlace,
  bytes: Buffer,
  edit: DraftEdit,
): Promise<CheckedDraft> {
  const saved = readShift(bank.contentDir, folder);
  const { text } = withEdit(parsePaper(bytes).text, edit, place);
  const at = folder.papers.findIndex(({ path }) => path === place.path);
  const files = { ...saved, papers: saved.papers.with(at, Buffer.from(text)) };
  const { diagnostics, processed } = await bank.checkDraft(folder, files);
  const placed = new Set(processed.diagnostics);
  const source = new Source(text);
  const prefix = edit.kind === 'details' ? '' : `/${edit.list}/${edit.index}`;
  const problems = ofItem().map((diagnostic): DraftProblem => {
    const { rule, severity, message, file, pointer } = diagnostic;
    const isInside = file === place.path && isBelow(prefix, pointer);
    const suggestion = isInside ? suggestionOf(diagnostic) : undefined;
    return {
      ...{ rule, severity, message },
      pointer: isInside ? pointer.slice(prefix.length) : '',
      ...(suggestion && { suggestion }),
    };
  });
  return { html: await rendered(), problems };

  /** The problems of the edited item. */
  function ofItem(): readonly Diagnostic[] {
    if (edit.kind !== 'details' && edit.list === 'questions') {
      const questions = writtenQuestions({ source, total: edit.index + 1 });
      return problemsOf(diagnostics, place.path, questions).ofQuestions[edit.index] ?? [];
    }
    const ofFile = diagnostics.filter(({ file }) => file === place.path);
    if (edit.kind !== 'details') return ofFile.filter(({ pointer }) => isBelow(prefix, pointer));
    return ofFile.filter(({ pointer }) => !/^\/(?:questions|passages)\b/.test(pointer));
  }

  function suggestionOf(diagnostic: Diagnostic): DraftProblem['suggestion'] {
    if (diagnostic.suggestion === undefined) return undefined;
    const whole = { text: diagnostic.suggestion };
    if (!placed.has(diagnostic)) return whole;
    const value = source.span(source.valueRange(diagnostic.pointer));
    const { start, end } = source.span(diagnostic);
    if (start === value.start && end === value.end) return whole;
    // Else, a part of a string: between its quotation marks.
    if (text[value.start] !== '"' || start <= value.start || end >= value.end) return undefined;
    const lengthOf = (from: number, to: number) =>
      String(JSON.parse(`"${text.slice(from, to)}"`)).length;
    const before = lengthOf(value.start + 1, start);
    return { ...whole, start: before, end: before + lengthOf(start, end) };
  }

  /** Renders the item in a paper without other questions. */
  async function rendered(): Promise<string> {
    if (edit.kind === 'details') return '';
    const { item, index } = edit;
    const isPassage = edit.list === 'passages';
    const own = `${place.path}#`;
    const wrong = [...processed.unserved];
    const drawn = new Set(
      processed.diagrams.flatMap(({ file, image }) => ('fault' in image ? [] : file)),
    );
    const isServed =
      !wrong.some((one) => isBelow(own + prefix, one)) &&
      [...diagramsOf(item)].every(({ file }) => drawn.has(file));
    const sound = isServed ? item : drawable(item, drawn);
    const questions = [isPassage ? readerOf(item) : sound];
    const paper = JSON.stringify({ ...fieldsOf(JSON.parse(text)), questions });
    const known = wrong.filter((one) => one !== own && !one.startsWith(`${own}/questions`));
    const { served } = await previewedPaper(
      { ...files, papers: files.papers.with(at, Buffer.from(paper)) },
      folder,
      place,
      { ...processed, unserved: new Set(known) },
    );
    const diagram = diagramsOfShift(folder);
    if (isPassage) {
      const passage = served.passages?.find(({ id }) => id === item['id']);
      return passage
        ? html`<div class="set" dir="auto">${passageHtml(passage, diagram)}</div>`.text
        : '';
    }
    const [question] = served.questions;
    if (!question) return '';
    const facts = [question.topic, question.difficulty];
    return questionArticle(served, question, { index, diagram, isAnswerFolded: false, facts }).text;
  }
}

function isBelow(prefix: string, pointer: string): boolean {
  return pointer === prefix || pointer.startsWith(`${prefix}/`);
}

/** A question that has a passage: passages without one are not served. */
function readerOf(passage: Item): Item {
  return {
    id: 'draft',
    type: 'text',
    question: '…',
    options: [],
    dropped: true,
    passage: passage['id'],
  };
}

/** What a missing text is shown as. */
const missing = '…';

/** What can be shown of a question that is not complete. @param drawn the diagrams of its shift */
function drawable(item: Item, drawn: ReadonlySet<unknown>): Item {
  const { options, diagrams, dropped } = item;
  const drawnOf = (diagram: unknown) =>
    isItem(diagram) && drawn.has(diagram['file'])
      ? [{ ...textsOf(diagram), file: diagram['file'] }]
      : [];
  const shown = listOf(options)
    .filter(isItem)
    .map((option, index) => ({
      value: missing,
      ...textsOf(option),
      key: String.fromCharCode(65 + (index % 26)),
      diagram: drawnOf(option['diagram'])[0],
    }));
  return {
    type: 'text',
    question: missing,
    answer: '',
    ...textsOf(item),
    options: shown,
    diagrams: listOf(diagrams).flatMap(drawnOf),
    dropped: dropped === true || undefined,
  };
}

/** The properties that are texts, without halves of characters. */
function textsOf(item: Item): Item {
  const texts = Object.entries(item).flatMap(([name, value]) =>
    typeof value === 'string' && value !== '' ? [[name, value.toWellFormed()]] : [],
  );
  return Object.fromEntries(texts);
}
