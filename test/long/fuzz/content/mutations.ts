import type { Pick } from '../arbitraries.ts';
import { type Bank, isDiagram, isPaper, isTranslation } from './bank.ts';
import { objectOf, questionFields } from './model/content.ts';
import * as odd from './odd-values.ts';

type Files = Map<string, Buffer>;
type Fields = Record<string, unknown>;

/** Returns the bank with a few mutations of bytes, JSON values, questions, texts, files or folders. */
export function mutateBank(pick: Pick, bank: Bank): Bank {
  const files = new Map(bank);
  for (let left = pick([1, 1, 1, 1, 1, 1, 2, 2, 2, 4]); left > 0 && files.size > 0; left -= 1)
    pick([
      editPaper,
      editPaper,
      editPaper,
      editJson,
      editJson,
      editText,
      editFiles,
      editFiles,
      editFolders,
    ])(pick, files);
  return files;
}

/** Chooses a JSON file, usually a paper, and replaces its bytes. */
function inJson(pick: Pick, files: Files, change: (bytes: Buffer) => Buffer): void {
  const all = [...files.keys()].filter((path) => path.endsWith('.json'));
  const papers = all.filter((path) => isPaper(path) || isTranslation(path));
  if (all.length === 0) return;
  const path = pick(
    [all, papers, papers, papers, papers].filter((some) => some.length > 0).map(pick),
  );
  files.set(path, change(files.get(path) ?? Buffer.alloc(0)));
}

function inObject(pick: Pick, files: Files, change: (value: Fields) => void): void {
  inJson(pick, files, (bytes) => {
    const value = objectOf(bytes);
    if (!value) return bytes;
    const changed = structuredClone(value);
    change(changed);
    return Buffer.from(`${JSON.stringify(changed, undefined, pick([2, 2, 2, 0, '\t']))}\n`);
  });
}

/** What a person may write into a field of a question: mostly valid. */
const fieldValues: Readonly<Record<string, (pick: Pick, question: Fields) => unknown>> = {
  id: (pick, { id }) => pick(odd.idsLike(textOf(id))),
  type: (pick) => pick(['mcq', 'msq', 'numerical']),
  question: (pick, { question }) => mutateText(pick, textOf(question)),
  solution: (pick, { question }) => mutateText(pick, textOf(question)),
  answer: (pick) => pick(odd.answers),
  accepted: (pick, { answer }) => [pick([answer, pick(odd.answers)]), pick(odd.answers)],
  answerRange: (pick) => ({ min: pick(odd.answers), max: pick(odd.answers) }),
  marking,
  topic: (pick) => pick(odd.topics),
  difficulty: (pick) => pick(['easy', 'medium', 'hard']),
  dropped: () => true,
  number: (pick) => pick(odd.printed),
  section: (pick) => pick(odd.printed),
  passage: (pick) => pick(['p1', 'p2', 'P1', '', 'q1']),
  diagrams: (pick, { id }) => [{ file: pick(odd.filesLike(textOf(id))), alt: pick(odd.topics) }],
};

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : 'q1';
}

function marking(pick: Pick): object {
  const names = ['correct', 'incorrect', 'unanswered', 'partial'].filter(() =>
    pick([true, true, false]),
  );
  return Object.fromEntries(names.map((name) => [name, pick(odd.marks)]));
}

function objectsIn(value: unknown): Fields[] {
  const items: unknown[] = Array.isArray(value) ? value : [];
  return items.filter((item): item is Fields => typeof item === 'object' && item !== null);
}

/** Edits a paper like a person; most results are valid. */
function editPaper(pick: Pick, files: Files): void {
  inObject(pick, files, (paper) => {
    const questions = objectsIn(paper['questions']);
    if (questions.length === 0) return;
    paper['questions'] = questions;
    const question = pick(questions);
    const at = questions.indexOf(question);
    const set = () => {
      const name = pick(Object.keys(fieldValues));
      question[name] = fieldValues[name]?.(pick, question);
    };
    const rewrite = () => {
      const options = objectsIn(question['options']);
      const [holder, name] = pick([
        [question, 'question'] as const,
        ...options.map((one) => [one, 'value'] as const),
      ]);
      holder[name] = mutateText(pick, textOf(holder[name]));
    };
    const edit = pick<() => void>([
      ...[set, set, set, set, set, rewrite, rewrite, rewrite],
      () => editOptions(pick, question),
      () => editPassages(pick, paper),
      () => delete question[pick(questionFields)],
      () => questions.splice(at, 1),
      () => questions.splice(questions.indexOf(pick(questions)), 0, ...questions.splice(at, 1)),
      () => questions.splice(at, 0, structuredClone(question)),
      () => questions.splice(at),
      () => questions.splice(at, 1, Object.fromEntries(Object.entries(question).reverse())),
      () =>
        Object.assign(
          paper,
          pick([{ marking: marking(pick) }, { lastUpdated: pick(odd.moments) }]),
        ),
    ]);
    edit();
  });
}

function editOptions(pick: Pick, question: Fields): void {
  const options = objectsIn(question['options']);
  const diagram = { file: pick(odd.filesLike(textOf(question['id']))) };
  const changeAll = (change: (option: Fields, index: number) => object) => options.map(change);
  question['options'] = pick<() => unknown>([
    () => [...options, { key: pick(['A', 'E', 'F', 'e', '1', 'AA']), value: pick(odd.topics) }],
    () => options.slice(0, -1),
    () => options.toReversed(),
    () => [],
    () => [...options, ...structuredClone(options)],
    () => changeAll((option, index) => ({ ...option, key: 'PQRSTUVWXYZ'.charAt(index) })),
    () => changeAll((option) => ({ ...option, value: options[0]?.['value'] })),
    () => changeAll((option, index) => ({ ...option, label: `(${index + 1})` })),
    () => changeAll((option) => ({ ...option, label: pick(odd.printed) })),
    () => changeAll((option) => ({ ...option, diagram })),
    () =>
      changeAll((option) => ({
        ...option,
        [pick(['value', 'label', 'diagram', 'key'])]: undefined,
      })),
  ])();
}

function editPassages(pick: Pick, paper: Fields): void {
  const passages = objectsIn(paper['passages']);
  const passage = passages.length > 0 ? pick(passages) : { id: 'p1', text: pick(odd.topics) };
  const changed = pick([
    { ...passage, text: mutateText(pick, textOf(passage['text'])) },
    { ...passage, id: pick(['p1', 'p2', 'p3', '']) },
    { ...passage, [pick(['id', 'text', 'diagrams'])]: undefined },
  ]);
  const others = passages.filter((one) => one !== passage);
  paper['passages'] = pick([
    [...others, changed],
    [...others, changed],
    [passage, ...others],
    [...passages, passage],
    undefined,
  ]);
}

type Place = { readonly holder: Record<string | number, unknown>; readonly name: string | number };

/** The location of every nested value. */
function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const names = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return names.flatMap((name): Place[] => {
    const holder = value as Place['holder'];
    return [{ holder, name }, ...placesIn(holder[name])];
  });
}

/** Changes, renames or moves one value of a JSON file. */
function editJson(pick: Pick, files: Files): void {
  inObject(pick, files, (value) => {
    const places = placesIn(value);
    if (places.length === 0) return;
    const { holder, name } = pick(places);
    const old = holder[name];
    // Also under names such as `__proto__`.
    const set = (key: string | number, other: unknown) =>
      Object.defineProperty(holder, key, {
        value: other,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    const remove = () =>
      void (Array.isArray(holder) ? holder.splice(Number(name), 1) : delete holder[name]);
    const other = pick(places);
    const change = pick<() => void>([
      remove,
      () => set(name, pick(odd.values)),
      () => set(name, structuredClone(other.holder[other.name])),
      () =>
        set(
          name,
          pick([[old], typeof old === 'object' ? JSON.stringify(old) : String(old), odd.nested]),
        ),
      () => typeof old === 'string' && set(name, mutateText(pick, old)),
      () => Array.isArray(old) && old.reverse(),
      () => Array.isArray(holder) && holder.splice(Number(name), 0, structuredClone(old)),
      () => !Array.isArray(holder) && set(pick([...odd.names, `${name}s`]), old),
      () => {
        if (Array.isArray(holder)) return;
        remove();
        set(pick([...odd.names, `${name}s`]), old);
      },
    ]);
    change();
  });
}

/** Inserts valid or invalid text, or removes some. */
function mutateText(pick: Pick, text: string): string {
  const at = pick([...Array(text.length + 1).keys()]);
  const insert = (piece: string) => text.slice(0, at) + piece + text.slice(at);
  return pick<() => string>([
    ...[0, 1, 2, 3].map(() => () => insert(pick(odd.pieces))),
    () => `${text} ${pick(odd.pieces)}`,
    () => `${text} ${pick(odd.pieces)}`,
    () => pick(odd.pieces),
    () => insert(pick(odd.characters)),
    () => text.slice(0, at) + text.slice(at + pick([1, 2, 5])),
    () => text.replaceAll('\\', pick(['', '\\\\', '/'])),
    () => text.replace(pick(['{', '}', '$', '\\', '_', '^', ' ']), ''),
    () =>
      pick([
        text.toUpperCase(),
        `${text} `,
        ` ${text}`,
        `${text}\n`,
        text + text,
        text.normalize('NFD'),
      ]),
    () => Buffer.from(text, 'utf8').toString('latin1'),
  ])();
}

/** JSON tokens: strings, numbers, literals and punctuation. */
const token = /"(?:\\.|[^"\\])*"|-?[0-9.eE+]+|[a-z]+|[{}[\],:]/g;

/** Changes the text of a JSON file, like a typist, a failing disk, or a program with another encoding. */
function editText(pick: Pick, files: Files): void {
  inJson(pick, files, (bytes) => {
    const text = bytes.toString();
    const tokens = [...text.matchAll(token)];
    const { index, 0: one } = tokens.length > 0 ? pick(tokens) : { index: 0, 0: '' };
    const before = text.slice(0, index);
    const after = text.slice(index + one.length);
    const other = tokens.length > 0 ? pick(tokens)[0] : '';
    const middle = () =>
      pick([
        ...[pick(odd.tokens), `${one}${pick(odd.tokens)}`, '', one + one, other],
        `${one}${pick([' ', '\n', '\t', '\f', '\u00a0', '\ufeff', '\u2028'])}`,
        one.replace(/^"/, `"${pick(odd.escapes)}`),
        one.replace(
          /[^"\\]/g,
          (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
        ),
      ]);
    return pick<() => Buffer>([
      ...[0, 1, 2, 3, 4].map(() => () => Buffer.from(before + middle() + after)),
      // A duplicate key, as it is and with an escape.
      () =>
        Buffer.from(
          text.replace(/("(?:id|answer|key|questions|lastUpdated|label)"): /, '$1: null, $1: '),
        ),
      () => Buffer.from(text.replace(/"id":/, '"id": "x", "\\u0069d":')),
      () => mutateBytes(pick, bytes),
    ])();
  });
}

function mutateBytes(pick: Pick, bytes: Buffer): Buffer {
  const at = pick([...Array(bytes.length + 1).keys()]);
  const before = bytes.subarray(0, at);
  const after = bytes.subarray(at);
  const rest = bytes.subarray(at + pick([1, 5, 19]));
  const flipped = Buffer.from([(bytes[at] ?? 0) ^ (1 << pick([0, 1, 2, 3, 4, 5, 6, 7]))]);
  const asText = bytes.toString();
  return pick<() => Buffer>([
    () => Buffer.concat([before, flipped, bytes.subarray(at + 1)]),
    () => Buffer.concat([before, Buffer.from(pick(odd.bytes), 'latin1'), after]),
    () => Buffer.concat([before, rest]),
    () => pick([before, after, Buffer.concat([bytes, bytes]), Buffer.alloc(pick([0, 1, 100]))]),
    () => Buffer.concat([Buffer.from('\xef\xbb\xbf', 'latin1'), bytes]),
    () => pick([Buffer.from(`\ufeff${asText}`, 'utf16le'), Buffer.from(asText, 'latin1')]),
    () => Buffer.from(bytes.toString('latin1'), 'utf8'),
    () => Buffer.from(asText.replaceAll('\n', pick(['\r\n', '\r', '\u2028', '']))),
  ])();
}

/** Adds, removes and renames files, and changes images. */
function editFiles(pick: Pick, files: Files): void {
  const paths = [...files.keys()];
  const path = pick(paths);
  const other = pick(paths);
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const diagram = paths.find(isDiagram) ?? `${folder}diagrams/${pick(odd.fileNames)}`;
  const bytes = files.get(path) ?? Buffer.alloc(0);
  const change = pick<() => void>([
    () => files.delete(path),
    () => rename(files, path, `${folder}${pick(odd.fileNames)}`),
    () => rename(files, other, `${folder}${pick(odd.fileNames)}`),
    () =>
      files.set(`${pick([folder, '', 'neet/', 'neet/2024/', 'x/'])}${pick(odd.fileNames)}`, bytes),
    () => files.set(diagram, odd.image(pick)),
    () => files.set(diagram, odd.image(pick)),
    () => files.set(diagram, mutateBytes(pick, files.get(diagram) ?? Buffer.alloc(0))),
    () => files.set(`${folder}diagrams/${pick(odd.fileNames)}`, odd.image(pick)),
    () => files.set('exceptions.json', Buffer.from(pick(odd.exceptions))),
  ]);
  change();
}

/** Renames or copies the exam, the year or the shift. */
function editFolders(pick: Pick, files: Files): void {
  const paths = [...files.keys()].filter((path) => path.split('/').length >= 4);
  if (paths.length === 0) return;
  const [exam = '', year = '', shift = ''] = pick(paths).split('/');
  const place = `${exam}/${year}/${shift}/`;
  /** Copies the shift with new ids and file names. */
  const addShift = (ofYear: string, day: string) => {
    const name = `${ofYear}-${day}`;
    for (const [path, bytes] of [...files].filter(([each]) => each.startsWith(place))) {
      const file = path.slice(place.length).replaceAll(shift, name);
      const isJson = file.endsWith('.json');
      files.set(
        `${exam}/${ofYear}/${name}/${file}`,
        isJson ? Buffer.from(bytes.toString().replaceAll(shift, name)) : bytes,
      );
    }
  };
  const change = pick<() => void>([
    () => rename(files, `${exam}/`, `${pick(odd.exams)}/`),
    () => rename(files, `${exam}/${year}/`, `${exam}/${pick(odd.years)}/`),
    () => rename(files, place, `${exam}/${year}/${pick(odd.shifts)}/`),
    ...[0, 1].map(
      () => () =>
        addShift(year, pick(['01-27-s1', '01-27-s2', '05-05-s10', '05-05-s9', '02-29-s1'])),
    ),
    () => addShift(pick(['2019', '2026', '1999', '0001', '9999']), shift.slice(year.length + 1)),
  ]);
  change();
}

/** Renames a file, or a folder with a slash at its end. */
function rename(files: Files, from: string, to: string): void {
  for (const [path, bytes] of [...files].filter(([each]) => each.startsWith(from))) {
    files.delete(path);
    files.set(to + path.slice(from.length), bytes);
  }
}
