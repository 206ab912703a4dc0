/**
 * Reads questions from text: numbered questions, lettered options, and lines such as `Answer: B`, `Topic: Optics` and
 * `Solution: ...`. Aiken, a format of Moodle, is a case of it, without numbers.
 */
import type { Item } from './item.ts';
import { columnFields, columnsOf, rowItems } from './table.ts';
import vocabulary from './vocabulary.json' with { type: 'json' };

/** What languages call the parts of a file. */
const { words } = vocabulary;

interface Draft {
  readonly number: string;
  readonly section: string;
  readonly lines: string[];
  readonly options: { readonly key: string; text: string; isCorrect: boolean }[];
  readonly fields: Map<string, string>;
  /** What further lines belong to. */
  open: 'question' | 'option' | 'solution' | 'none';
  /** The last number of a list in its text. */
  inner: number;
}

/** A number in a list or a question: `12.`, `12)`, `Q12:`, `Question 12`. A backslash keeps Markdown from seeing a list. */
const numbered = new RegExp(
  `^(?:\\*\\*)?(?:(?:${words.question})\\.?\\s*)?(\\d{1,4})\\s*(?:\\*\\*)?\\s*\\\\?[.):](?:\\*\\*)?(?:\\s+(.*)|$)`,
  'iu',
);
const titled = new RegExp(`^(?:\\*\\*)?(?:${words.question})\\.?\\s*(\\d{1,4})(?:\\*\\*)?$`, 'iu');
/** `A.`, `(b)`, `C)`, with a sign before the correct one. */
const lettered = /^([*\u2713\u2714]\s?|\[x\]\s*|\\\*\s?)?\(?([A-Za-z])\\?[.)](?:\s+(.*)|$)/;
const sectionTitle = new RegExp(
  `^(?:\\*\\*)?((?:${words.section})\\s+(?:[A-Z]|\\d+|[IVX]+)\\b[^*]*)(?:\\*\\*)?$`,
  'iu',
);
const keyTitle = new RegExp(`^(?:\\*\\*)?(?:${words.key})\\s*:?(?:\\*\\*)?:?$`, 'iu');

const fieldNames = new Map(
  Object.entries(vocabulary.fields).flatMap(([field, names]) =>
    'labels' in names ? names.labels.split('|').map((name) => [name, field] as const) : [],
  ),
);
const labelled = new RegExp(
  `^(?:\\*\\*)?(${[...fieldNames.keys()].join('|')})(?:\\*\\*)?\\s*(?:[:=：]|\\s[-–]\\s)\\s*(?:\\*\\*)?\\s*(.*)$`,
  'iu',
);

/** Reads the questions of a text. What belongs to none is in `notes`. */
export function plainTextItems(text: string): { items: Item[]; notes: string[] } {
  const drafts: Draft[] = [];
  const notes: string[] = [];
  const keys = new Map<string, string>();
  let section = '';
  let topic = '';
  let isKey = false;
  let isAfterBlank = true;
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  const isNumbered = lines.some((line) => numbered.test(line));
  const start = (number: string, first: string) => {
    const fields = new Map(topic === '' ? [] : [['topic', topic]]);
    drafts.push({
      number,
      section,
      lines: first === '' ? [] : [first],
      options: [],
      fields,
      open: 'question',
      inner: 0,
    });
  };
  for (const line of lines) {
    const written = line.trim();
    const draft = drafts.at(-1);
    const isDone = !draft || draft.options.length > 0 || draft.fields.has('answer');
    if (written === '') {
      if (draft?.open === 'question' || draft?.open === 'solution') linesOf(draft).push('');
      isAfterBlank = true;
      continue;
    }
    const wasBlank = isAfterBlank;
    isAfterBlank = false;
    if (isKey || (isDone && keyTitle.test(written))) {
      isKey = true;
      for (const [, number = '', answer = ''] of written.matchAll(
        /(\d{1,4})\s*\\?[.):=–-]+\s*\(?(-?[\d.]+|[A-Za-z](?:\s*[,&]\s*[A-Za-z])*)\)?(?=[\s,;|]|$)/g,
      ))
        keys.set(number, answer);
      continue;
    }
    const [, label = '', value = ''] = labelled.exec(written) ?? [];
    const field = fieldNames.get(label.toLowerCase());
    if (field !== undefined) {
      if (
        draft &&
        (draft.lines.length > 0 || draft.options.length > 0) &&
        !(field === 'section' && isDone)
      ) {
        if (field === 'solution') draft.fields.set('solution', value);
        else draft.fields.set(field, withoutStyle(value));
        draft.open = field === 'solution' ? 'solution' : 'none';
      } else if (field === 'topic') topic = withoutStyle(value);
      else if (field === 'section') section = withoutStyle(value);
      continue;
    }
    const [, title] = isDone ? (sectionTitle.exec(written) ?? []) : [];
    if (title !== undefined) {
      section = title.trim();
      if (draft) draft.open = 'none';
      continue;
    }
    const isIndented = /^ {2,}/.test(line);
    const options =
      draft && !(draft.open === 'solution' && isIndented) ? optionsIn(written, draft) : [];
    if (draft && options.length > 0) {
      draft.options.push(...options);
      draft.open = 'option';
      continue;
    }
    const [, number, rest = ''] = numbered.exec(written) ?? titled.exec(written) ?? [];
    if (number !== undefined) {
      const value = Number(number);
      const isNext = value === Number(draft?.number) + 1 && value !== (draft?.inner ?? 0) + 1;
      if (!isIndented && (isDone || isNext)) {
        start(number, rest);
        continue;
      }
      if (draft) draft.inner = value;
    }
    const isNew =
      !isNumbered &&
      (!draft ||
        (draft.fields.has('answer') && draft.open !== 'solution') ||
        (draft.fields.has('answer') && wasBlank));
    if (isNew) start('', written);
    else if (!draft || (draft.open === 'none' && wasBlank))
      notes.push(`Not read: "${written.slice(0, 100)}"`);
    else if (draft.open === 'option') {
      const last = draft.options.at(-1);
      if (last && (!wasBlank || isIndented)) last.text = `${last.text}\n${written}`.trim();
      else notes.push(`Not read: "${written.slice(0, 100)}"`);
    } else if (draft.open === 'none') notes.push(`Not read: "${written.slice(0, 100)}"`);
    else linesOf(draft).push(line.replace(/^ {3}/, '').trimEnd());
  }
  const columns = columnsOf([], new Map(columnFields.map((name) => [name, name])));
  const read = drafts.map((draft) => ({ draft, ...rowOf(draft, keys) }));
  const items = rowItems(
    read.map(({ row }) => row),
    columns,
  ).map((item, index): Item => {
    const { draft, usesBold, isLost } = read[index] ?? {};
    const { number, lines: [first = ''] = [] } = draft ?? {};
    return {
      ...item,
      ...(isLost && { refusal: 'the answer is a letter, but no options were found' }),
      name: number ? `Question ${number}` : first.slice(0, 60),
      losses: [
        ...item.losses,
        ...(usesBold ? ['answer: the bold option was taken as the correct one'] : []),
      ],
    };
  });
  return { items, notes };
}

/** Lines of the text or solution of a question. */
function linesOf(draft: Draft): { push: (line: string) => void } {
  if (draft.open !== 'solution') return draft.lines;
  return {
    push: (line) => draft.fields.set('solution', `${draft.fields.get('solution') ?? ''}\n${line}`),
  };
}

function withoutStyle(text: string): string {
  return text.replace(/^\*\*|\*\*$/g, '').trim();
}

/** A sign after the letter of the correct option. */
const tick = /^[\u2713\u2714]\s*/;

/** The options of a line, which begins with the next letter: one, or several in a row. */
function optionsIn(line: string, draft: Draft): Draft['options'] {
  const found: Draft['options'] = [];
  let rest: string | undefined = line;
  while (rest !== undefined) {
    const match: RegExpExecArray | null = lettered.exec(rest);
    const [, sign, letter = '', text = ''] = match ?? [];
    const expected = String.fromCharCode(65 + draft.options.length + found.length);
    if (letter.toUpperCase() !== expected) break;
    const following = String.fromCharCode(expected.charCodeAt(0) + 1);
    const isLower = letter !== letter.toUpperCase();
    const next: RegExpExecArray | null = new RegExp(
      `\\s(?=[*\\u2713]?\\(?${isLower ? following.toLowerCase() : following}\\\\?[.)]\\s)`,
    ).exec(text);
    const own = (next ? text.slice(0, next.index) : text).trim();
    found.push({
      key: expected,
      text: own.replace(tick, ''),
      isCorrect: sign !== undefined || tick.test(own),
    });
    rest = next ? text.slice(next.index + 1) : undefined;
  }
  // The first letter alone may begin a sentence: "A. Einstein".
  return found;
}

/** Options with numbers: the list at the end of a text without lettered ones. They are taken off the text. */
function numberedOptions({ lines, fields }: Draft): Draft['options'] {
  const last = lines.findLastIndex((line) => line.trim() !== '');
  const first = lines.findLastIndex((line) => /^\s*1\\?[.)]\s/.test(line));
  const list = lines.slice(Math.max(first, 0), last + 1).filter((line) => line.trim() !== '');
  const items = list.map((line) => /^\s*(\d{1,2})\\?[.)]\s+(.*)$/.exec(line));
  const isList = items.every((item, index) => Number(item?.[1]) === index + 1);
  const answer = /^\(?(?:[A-Z]|\d)[.)]?$/i.test(fields.get('answer') ?? '');
  if (first < 1 || items.length < 2 || !isList || !answer) return [];
  lines.splice(first);
  return items.map((item, index) => ({
    key: String.fromCharCode(65 + index),
    text: item?.[2] ?? '',
    isCorrect: false,
  }));
}

/** The row of a question, and how its answer was found or lost. */
function rowOf(draft: Draft, keys: ReadonlyMap<string, string>) {
  const { number, section, lines, fields } = draft;
  const options = draft.options.length > 0 ? draft.options : numberedOptions(draft);
  const given = fields.get('answer') ?? keys.get(number);
  const isBold = (text: string) => /^\*\*[^*]+\*\*$/.test(text);
  const bold = options.filter(({ text }) => isBold(text));
  const isMarked = options.some(({ isCorrect }) => isCorrect);
  const usesBold = given === undefined && !isMarked && bold.length === 1;
  const truth = /^(?:t(?:rue)?|f(?:alse)?)$/i.exec(given ?? '')?.[0];
  const isTruth = truth !== undefined && options.length === 0;
  const [correct = '', incorrect = ''] = (fields.get('correct') ?? '').match(/[-+−]?[\d.]+/g) ?? [];
  const row = new Map<string, unknown>(fields);
  row.set(
    'question',
    lines
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim(),
  );
  row.set(
    'options',
    isTruth
      ? ['True', 'False']
      : options.map(({ key, text, isCorrect }) => ({
          key,
          text: usesBold && isBold(text) ? text.slice(2, -2) : text,
          isCorrect: isCorrect || (usesBold && isBold(text)),
        })),
  );
  row.set('answer', isTruth ? (/^t/i.test(truth) ? 'True' : 'False') : given);
  row.set('number', number);
  if (!fields.has('section')) row.set('section', section);
  if (correct !== '') row.set('correct', correct.replace('+', ''));
  if (incorrect !== '') row.set('incorrect', incorrect);
  const isLost = options.length === 0 && /^\(?[A-H][.)]?$/i.test(given ?? '') && !isTruth;
  return { row, usesBold, isLost };
}
