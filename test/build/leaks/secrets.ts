import type { RawQuestion } from '../catalogue/raw-bank.ts';

/** What needs a key, in the forms in which texts are searched for it, and what each is. */
export interface Secrets {
  /** Found wherever they stand, inside a word too. */
  readonly strings: ReadonlyMap<string, string>;
  /** Words in a row, however they are set apart. */
  readonly phrases: Phrases;
}

/** So many words in a row tell a text apart from any other. */
const window = 6;
/** A text of fewer words, or of fewer letters, may stand anywhere by chance. */
const fewestWords = 3;
const fewestLetters = 14;
/** So may fewer answers in a row, and a shorter number after the word "answer". */
const fewestAnswers = 6;
const fewestDigits = 4;

/** All that a bank keeps behind a key. Topics and difficulties are counted in public, and are not among it. */
export function secretsOf(questions: readonly RawQuestion[]): Secrets {
  const strings = new Map<string, string>();
  const phrases = new Phrases();
  for (const { id, question, options, answer, accepted = [], diagrams = [] } of questions) {
    strings.set(id, `the id ${id}`);
    addText(phrases, question, `the text of ${id}`);
    for (const { value } of options) addText(phrases, value, `an option of ${id}`);
    for (const row of optionRows(options)) {
      const words = wordsOf(row);
      if (words.length >= window) phrases.add(words, `the options of ${id}`);
    }
    for (const { file, alt } of diagrams) {
      strings.set(file, `the diagram ${file}`);
      addText(phrases, alt, `what ${file} shows`);
    }
    for (const number of [answer, ...accepted].filter((value) => /^-?[\d.]+$/.test(value))) {
      if (number.length < fewestDigits) continue;
      phrases.add(wordsOf(`answer ${number}`), `the answer of ${id}`);
      phrases.add(wordsOf(`accepted ${number}`), `an answer of ${id}`);
    }
  }
  for (const [paper, answers] of answersByPaper(questions)) {
    if (answers.length < fewestAnswers) continue;
    strings.set(answers.join(''), `the answers of ${paper}`);
    phrases.add(wordsOf(answers.join(' ')), `the answers of ${paper}`);
  }
  return { strings, phrases };
}

/** The words of a text: letters and digits, in whatever case and between whatever signs. */
export function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  );
}

/** Words in a row, two or more, to be found in the words of a text. */
export class Phrases {
  /** By their first two words: at each place of a text, few phrases are left to be tried. */
  readonly #byStart = new Map<string, Map<string, { readonly length: number; readonly what: string }>>();

  add(words: readonly string[], what: string): void {
    const start = words.slice(0, 2).join(' ');
    const ofStart = this.#byStart.get(start) ?? new Map();
    this.#byStart.set(start, ofStart.set(words.join(' '), { length: words.length, what }));
  }

  /** What stands in a text. */
  *in(words: readonly string[]): Generator<string> {
    for (let place = 0; place < words.length; place += 1) {
      const candidates = this.#byStart.get(`${words[place]} ${words[place + 1]}`) ?? [];
      for (const [phrase, { length, what }] of candidates) {
        if (words.slice(place, place + length).join(' ') === phrase) yield what;
      }
    }
  }
}

function addText(phrases: Phrases, text: string, what: string): void {
  const words = wordsOf(text);
  if (words.length < fewestWords || words.join('').length < fewestLetters) return;
  if (words.length <= window) phrases.add(words, what);
  for (let start = 0; start + window <= words.length; start += 1) {
    const part = words.slice(start, start + window);
    if (part.join('').length >= fewestLetters) phrases.add(part, what);
  }
}

/** The options of a question one after the other, as pages and programs write them. */
function optionRows(options: RawQuestion['options']): string[] {
  return [
    options.map(({ value }) => value),
    options.map(({ key, value }) => `${key} ${value}`),
    options.map(({ key, value }) => `key ${key} value ${value}`),
  ].map((row) => row.join(' '));
}

function answersByPaper(questions: readonly RawQuestion[]): Map<string, string[]> {
  const papers = new Map<string, string[]>();
  for (const { exam, shift, subject, answer } of questions) {
    const paper = `${exam}/${shift}/${subject}`;
    papers.set(paper, [...(papers.get(paper) ?? []), answer]);
  }
  return papers;
}
