import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Question, SubjectFile } from '../../../build/content/written.ts';

/** A question of a content file, with the path of the file. */
export interface RawQuestion extends Question {
  readonly exam: string;
  readonly year: string;
  readonly shift: string;
  readonly subject: string;
  /** The lastUpdated of its file. */
  readonly updated: string;
}

/** Reads every question of a content folder, without any code of the build. */
export async function rawQuestions(contentDir: string): Promise<RawQuestion[]> {
  const paths = await readdir(contentDir, { recursive: true });
  const papers = paths
    .map((path) => path.split(sep))
    // Not translations, and not the details of shifts.
    .filter((parts) => parts.length === 4 && /^(?!shift\.)[^.]+\.json$/.test(parts[3] ?? ''));
  const questions = await Promise.all(
    papers.map(async ([exam = '', year = '', shift = '', file = '']) => {
      const text = await readFile(join(contentDir, exam, year, shift, file), 'utf8');
      const paper: SubjectFile = JSON.parse(text);
      const place = {
        exam,
        year,
        shift,
        subject: file.slice(0, -'.json'.length),
        updated: paper.lastUpdated,
      };
      return paper.questions.map((question) => ({ ...question, ...place }));
    }),
  );
  return questions.flat();
}

/** Protected data, in a form to search texts for it. Each entry has a description. */
export interface Secrets {
  /** Found anywhere, also inside a word. */
  readonly strings: ReadonlyMap<string, string>;
  /** Words, separated by a space, with any separators in the text. */
  readonly phrases: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Length in words of a sequence that identifies a text. */
const window = 6;
/** Shorter texts are ignored, because they occur anywhere by chance. */
const fewestWords = 3;
const fewestLetters = 14;
/** Shorter sequences of answers, and shorter numbers after the word "answer", are ignored too. */
const fewestAnswers = 6;
const fewestDigits = 4;

/** Collects the protected data of a bank. Topics and difficulties are public: the catalogue counts them. */
export function secretsOf(questions: readonly RawQuestion[]): Secrets {
  const strings = new Map<string, string>();
  const phrases = new Map<string, Set<string>>();
  const addPhrase = (words: readonly string[], what: string) => {
    const phrase = words.join(' ');
    // Several questions may have the same options.
    phrases.set(phrase, (phrases.get(phrase) ?? new Set()).add(what));
  };
  const addText = (text: string, what: string) => {
    const words = wordsOf(text);
    if (words.length < fewestWords || words.join('').length < fewestLetters) return;
    if (words.length < window) addPhrase(words, what);
    for (let start = 0; start + window <= words.length; start += 1) {
      const part = words.slice(start, start + window);
      if (part.join('').length >= fewestLetters) addPhrase(part, what);
    }
  };
  const answers = new Map<string, string[]>();
  for (const { id, question, options, answer = '', solution = '', ...rest } of questions) {
    const ofOptions = options.flatMap(({ diagram }) => diagram ?? []);
    strings.set(id, `the id ${id}`);
    addText(question, `the text of ${id}`);
    addText(solution, `the solution of ${id}`);
    for (const { value = '' } of options) addText(value, `an option of ${id}`);
    // As pages and programs write them.
    for (const written of [
      options.map(({ value = '' }) => value),
      options.map(({ key, value = '' }) => `${key} ${value}`),
      options.map(({ key, value = '', label = '' }) => `key ${key} value ${value} label ${label}`),
    ])
      addText(written.join(' '), `the options of ${id}`);
    for (const { file, alt = '' } of [...(rest.diagrams ?? []), ...ofOptions]) {
      strings.set(file, `the diagram ${file}`);
      addText(alt, `what ${file} shows`);
    }
    if (/^-?[\d.]+$/.test(answer) && answer.length >= fewestDigits)
      addPhrase(wordsOf(`answer ${answer}`), `the answer of ${id}`);
    const paper = `${rest.exam}/${rest.shift}/${rest.subject}`;
    answers.set(paper, [...(answers.get(paper) ?? []), answer]);
  }
  for (const [paper, all] of answers)
    if (all.length >= fewestAnswers) strings.set(all.join(''), `the answers of ${paper}`);
  return { strings, phrases };
}

/** The words of a text: letters and digits, in lower case. */
function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  );
}

/** Finds secrets in a text, in any encoding. */
export function leaksIn(whole: string, { strings, phrases }: Secrets): Set<string> {
  const leaks = new Set<string>();
  for (const text of decodingsOf(whole)) {
    for (const [string, what] of strings) if (text.includes(string)) leaks.add(what);
    // Markup may be between words, or split one.
    const plain = new Set([text, text.replace(/<[^>]*>/g, ' '), text.replace(/<[^>]*>/g, '')]);
    for (const words of Array.from(plain, wordsOf))
      for (let place = 0; place < words.length; place += 1)
        for (let length = 2; length <= window; length += 1)
          for (const what of phrases.get(words.slice(place, place + length).join(' ')) ?? [])
            leaks.add(what);
  }
  return leaks;
}

/** Shorter base64 is ignored. */
const minBase64Length = 24;

/** The text as it is, decoded from HTML, JSON and URL escapes, and the base64 in it decoded. */
export function decodingsOf(text: string): string[] {
  const decodings = [
    text,
    withoutHtml(text),
    withoutJson(text),
    withoutPercent(text),
    ...insideBase64(text),
  ];
  return [...new Set([...decodings, withoutHtml(withoutJson(text))])];
}

/** The text of a stored file, without its content coding. */
export function storedText(path: string, bytes: Buffer): string {
  if (path.endsWith('.br')) return brotliDecompressSync(bytes).toString();
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

function withoutHtml(text: string): string {
  return text
    .replace(
      /&#x([0-9a-f]{1,6});/gi,
      (whole, code) => character(Number.parseInt(code, 16)) ?? whole,
    )
    .replace(/&#(\d{1,7});/g, (whole, code) => character(Number(code)) ?? whole)
    .replace(/&(\w+);/g, (whole, name) => entities[name] ?? whole);
}

function character(code: number): string | undefined {
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

function withoutJson(text: string): string {
  return text
    .replace(/\\u([0-9a-f]{4})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\(.)/g, (_, letter) => escapes[letter] ?? letter);
}

function withoutPercent(text: string): string {
  return text.replace(/(%[0-9a-f]{2})+/gi, (run) =>
    Buffer.from(run.replaceAll('%', ''), 'hex').toString(),
  );
}

function insideBase64(text: string): string[] {
  const runs = text.match(new RegExp(`[A-Za-z0-9+/_-]{${minBase64Length},}`, 'g')) ?? [];
  return runs.length === 0
    ? []
    : [runs.map((run) => Buffer.from(run, 'base64').toString()).join('\n')];
}
