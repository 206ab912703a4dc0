/** Validates and renders a question or passage while it is written. */
import type { Diagnostic } from '../check/diagnostic.ts';
import type { ShiftFolder } from '../content/file.ts';
import { readShift, type ShiftFiles } from '../content/file.ts';
import { Source } from '../content/positions.ts';
import { fieldsOf, listOf } from '../content/question.ts';
import type { Question } from '../release/resources.ts';
import { html } from '../site/html.ts';
import { passageHtml, questionArticle } from '../site/paper/question.ts';
import type { LiveBank } from './bank.ts';
import { type Edit, type Item, isItem, parsePaper, withEdit } from './edit.ts';
import { mayName, type PreviewedPlace, previewedPaper, textAt, writtenQuestions } from './paper.ts';
import { diagramsOfShift, writtenQuestion } from './paper-page.ts';
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
export type DraftEdit = Extract<Edit, { kind: 'replace' | 'insert' | 'details' }>;

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
  const written = parsePaper(bytes).text;
  /** The files of the shift if another item were saved. */
  const filesWith = (item: Item): { readonly text: string; readonly files: ShiftFiles } => {
    const { text } = withEdit(written, { ...edit, item }, place);
    const index = folder.papers.findIndex(({ path }) => path === place.path);
    return { text, files: { ...saved, papers: saved.papers.with(index, Buffer.from(text)) } };
  };
  const { text, files } = filesWith(edit.item);
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
      const others = folder.papers.filter(({ path }) => path !== place.path);
      const isElsewhere = (name: string) =>
        others.some(({ path }) => mayName(textAt(bank.contentDir, path), name));
      const found = problemsOf(diagnostics, place.path, questions, isElsewhere);
      return found.ofQuestions[edit.index] ?? [];
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

  async function rendered(): Promise<string> {
    if (edit.kind === 'details') return '';
    const diagram = diagramsOfShift(folder);
    if (edit.list === 'passages') {
      const paper = fieldsOf(JSON.parse(text));
      const questions = [...listOf(paper['questions']), readerOf(edit.item)];
      const shown = JSON.stringify({ ...paper, questions });
      const index = folder.papers.findIndex(({ path }) => path === place.path);
      const papers = files.papers.with(index, Buffer.from(shown));
      const { served } = await previewedPaper({ ...files, papers }, folder, place);
      const passage = served.passages?.find(({ id }) => id === edit.item['id']);
      return passage
        ? html`<div class="set" dir="auto">${passageHtml(passage, diagram)}</div>`.text
        : '';
    }
    const { index } = edit;
    const view = { index, diagram, isAnswerFolded: false, facts: [] };
    const article = async (
      shown: ShiftFiles,
      change: Partial<Question>,
      known?: typeof processed,
    ) => {
      const { served, questions } = await previewedPaper(shown, folder, place, known);
      const question = questions.get(index);
      if (!question) return undefined;
      const { topic, difficulty } = question;
      const facts = [topic, difficulty];
      return questionArticle(served, { ...question, ...change } as Question, {
        ...view,
        facts,
      }).text;
    };
    const drawn = drawable(edit.item, new Set(folder.diagrams.map(({ file }) => file)));
    return (
      (await article(files, {}, processed)) ??
      (await article(filesWith(drawn.item).files, drawn.change)) ??
      writtenQuestion(index, source.written(prefix), {}).text
    );
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

/**
 * A question that can be served, with what can be shown of one that is not complete.
 *
 * @param files the diagrams of its shift
 * @returns it, and what to change in it once it is served
 */
function drawable(
  item: Item,
  files: ReadonlySet<unknown>,
): { readonly item: Item; readonly change: Partial<Question> } {
  const { id, type, question, options, answer, diagrams } = item;
  const isDrawn = (diagram: unknown) => isItem(diagram) && files.has(diagram['file']);
  const hasOptions = type === 'mcq' || type === 'msq';
  const shown = (Array.isArray(options) ? options : []).filter(isItem).map((option, index) => ({
    key: String.fromCharCode(65 + (index % 26)),
    value: isText(option['value']) ? option['value'] : missing,
    ...(isDrawn(option['diagram']) && { diagram: option['diagram'] }),
  }));
  while (hasOptions && shown.length < 2)
    shown.push({ key: shown.length === 0 ? 'A' : 'B', value: missing });
  const kept = ['passage', 'number', 'section', 'solution', 'topic'].flatMap((name) =>
    isText(item[name]) ? [[name, item[name]]] : [],
  );
  return {
    item: {
      ...Object.fromEntries(kept),
      id: isText(id) && /^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(id) ? id : 'draft',
      type: hasOptions ? type : 'text',
      question: isText(question) ? question : missing,
      options: hasOptions ? shown : [],
      ...(Array.isArray(diagrams) && { diagrams: diagrams.filter(isDrawn) }),
      dropped: true,
    },
    change: {
      ...(typeof type === 'string' && { type: type as 'text' }),
      answer: isText(answer) ? answer : '',
      dropped: item['dropped'] === true,
    } as Partial<Question>,
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
