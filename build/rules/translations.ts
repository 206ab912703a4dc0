/** Rules on translations: their names, what they translate, and the numbers in their formulas. */
import { mostEffort, nearest } from '../command-line/nearest.js';
import { formulasOf, proseOf } from '../content/formulas.ts';
import { type Drawn, diagramsOf, visitTexts } from '../content/question.ts';
import type { Diagram, Question, TranslatedQuestion } from '../content/written.ts';
import { isName } from '../release/urls.ts';
import {
  type CheckedTranslation,
  type Finding,
  firstOccurrence,
  quote,
  type Rule,
  repetitions,
} from './rule.ts';

const translationName: Rule<CheckedTranslation> = {
  name: 'translation-name',
  description:
    'A translation is named <subject>.<language>.json after a subject file in its folder. ' +
    'The language is a BCP 47 tag in its shortest form.',
  severity: 'error',
  strict: true,
  example: { wrong: 'physics.hindi.json', right: 'physics.hi.json' },
  *check({ subject, language, original }) {
    const message = languageProblem(language);
    if (message !== undefined) yield { message };
    const missing = `There is no ${subject}.json in the folder of this translation. Rename the file, or add the original.`;
    if (!original) yield { message: missing };
  },
};

const translationComplete: Rule<CheckedTranslation> = {
  name: 'translation-complete',
  description:
    'A translation has every question, passage, option, solution and diagram description of the original once, and nothing else.',
  severity: 'error',
  strict: true,
  example: {
    wrong: '"id": "physics-07" in physics.json alone',
    right: '"id": "physics-07" in physics.json and in physics.hi.json',
  },
  *check({ content, original, subjects, language }) {
    if (!content || !original?.content) return;
    const { questions, passages = [] } = original.content;
    yield* itemProblems('question', questions, content.questions);
    yield* itemProblems('passage', passages, content.passages ?? []);
    for (const name of new Set(questions.map(({ passage = '' }) => passage))) {
      const [subject = '', id] = name.split('/');
      if (id !== undefined && !subjects.has(subject))
        yield {
          message: `The passage ${name} is not translated: add ${subject}.${language}.json.`,
        };
    }
    for (const { one, other, pointer } of pairs(questions, content.questions, 'questions')) {
      if (one.solution !== undefined && other.solution === undefined)
        yield { pointer, message: 'The solution is not translated.' };
      if (one.solution === undefined && other.solution !== undefined)
        yield {
          pointer: `${pointer}/solution`,
          message: 'The original has no solution. Remove this one.',
        };
      yield* optionProblems(one, other, pointer);
      yield* diagramProblems(one, other, pointer);
    }
    for (const { one, other, pointer } of pairs(passages, content.passages ?? [], 'passages'))
      yield* diagramProblems(one, other, pointer);
  },
};

const translationFormulas: Rule<CheckedTranslation> = {
  name: 'translation-formulas',
  description: 'The formulas of a translated text have the same numbers as those of the original.',
  severity: 'error',
  example: { wrong: '"कितना है $2 + 3$?" for "What is $2 + 4$?"', right: '"कितना है $2 + 4$?"' },
  *check({ content, original }) {
    if (!content || !original?.content) return;
    const { questions, passages = [] } = original.content;
    for (const { one, other, pointer } of [
      ...pairs(questions, content.questions, 'questions'),
      ...pairs(passages, content.passages ?? [], 'passages'),
    ]) {
      const numbers = new Map<string, string>();
      visitTexts(one, (text, at) => numbers.set(at(), numbersOf(text)));
      const found: Finding[] = [];
      visitTexts(other, (text, at) => {
        const expected = numbers.get(at());
        if (expected === undefined || at().endsWith('/alt') || expected === numbersOf(text)) return;
        const message = `The numbers in the formulas differ. Original: ${expected || 'none'}. Translation: ${numbersOf(text) || 'none'}.`;
        found.push({ pointer: `${pointer}${at()}`, message });
      });
      yield* found;
    }
  },
};

/** What is wrong with the tag of a language, as a sentence; undefined for a valid one. */
function languageProblem(tag: string): string | undefined {
  const [canonical] = canonicalTags(tag);
  // Most banks have no translation, and loading the names takes time.
  const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
  const isKnown = canonical !== undefined && names.of(canonical) !== undefined;
  if (!isKnown || !isName('language', canonical)) {
    return `${quote(tag)} is not a language. Name the file with a language code, such as hi for Hindi.`;
  }
  return canonical === tag ? undefined : `Write the language as ${canonical}, not ${tag}.`;
}

function canonicalTags(tag: string): readonly string[] {
  try {
    return Intl.getCanonicalLocales(tag);
  } catch {
    return [];
  }
}

const mostListed = 10;

interface Item {
  readonly id: string;
}

/** Each item of a translation with that of the original, and the pointer to it. */
function pairs<One extends Item, Other extends Item>(
  originals: readonly One[],
  translations: readonly Other[],
  list: 'questions' | 'passages',
) {
  const byId = new Map(originals.map((item) => [item.id, item]));
  return translations.flatMap((other, index) => {
    const one = byId.get(other.id);
    return one ? [{ one, other, pointer: `/${list}/${index}` }] : [];
  });
}

function* itemProblems(
  kind: 'question' | 'passage',
  originals: readonly Item[],
  translations: readonly Item[],
): Generator<Finding> {
  const missing = new Set(originals.map(({ id }) => id));
  const known = new Set(missing);
  const ids = translations.map(({ id }, index) => ({ id, pointer: `/${kind}s/${index}/id` }));
  for (const { first, again } of repetitions(ids, ({ id }) => id)) {
    const message = `The ${kind} ${quote(again.id)} is translated twice.`;
    yield { pointer: again.pointer, message, related: [firstOccurrence(first.pointer)] };
  }
  for (const { id } of ids) missing.delete(id);
  const effort = { left: mostEffort };
  for (const { id, pointer } of ids) {
    if (known.has(id)) continue;
    const suggestion = nearest(id, missing, effort);
    // A misspelt id is one mistake.
    if (suggestion !== undefined) missing.delete(suggestion);
    yield { pointer, message: `The original has no ${kind} ${quote(id)}.`, suggestion };
  }
  if (missing.size === 0) return;
  const listed = [...missing].slice(0, mostListed).join(', ');
  const more = missing.size > mostListed ? `, and ${missing.size - mostListed} more` : '';
  const are = missing.size === 1 ? `1 ${kind} is` : `${missing.size} ${kind}s are`;
  const pointer = kind === 'passage' && translations.length === 0 ? '' : `/${kind}s`;
  yield { pointer, message: `${are} not translated: ${listed}${more}.` };
}

function* optionProblems(
  { options }: Question,
  { options: translated = [] }: TranslatedQuestion,
  pointer: string,
): Generator<Finding> {
  const keys = options.map(({ key }) => key).join(', ');
  const needed = options.some(({ value }) => value !== undefined);
  if (translated.length === 0 && !needed) return;
  if (translated.map(({ key }) => key).join(', ') !== keys) {
    const message =
      options.length === 0
        ? 'The original has no options. Remove these.'
        : `The options of the original are ${keys}, in this order.`;
    yield { pointer: translated.length === 0 ? pointer : `${pointer}/options`, message };
    return;
  }
  for (const [index, { key, value }] of translated.entries()) {
    const at = `${pointer}/options/${index}`;
    const isText = options[index]?.value !== undefined;
    if (isText && value === undefined)
      yield { pointer: at, message: `The text of the option ${key} is not translated.` };
    if (!isText && value !== undefined)
      yield {
        pointer: `${at}/value`,
        message: `The option ${key} of the original has no text. Remove this one.`,
      };
  }
}

function* diagramProblems(
  one: Drawn<Diagram>,
  other: Drawn<Diagram>,
  pointer: string,
): Generator<Finding> {
  const originals = new Map(
    [...diagramsOf(one)].map(({ file, alt, at }) => [`${placeOf(at)} ${file}`, { file, alt }]),
  );
  const untranslated = new Set(
    [...originals].filter(([, { alt }]) => alt !== undefined).map(([place]) => place),
  );
  for (const { file, at } of diagramsOf(other)) {
    const place = `${placeOf(at)} ${file}`;
    untranslated.delete(place);
    if (originals.has(place)) continue;
    const names = [...originals.values()].map((diagram) => diagram.file);
    const suggestion = nearest(file, names);
    if (suggestion !== undefined) untranslated.delete(`${placeOf(at)} ${suggestion}`);
    yield {
      pointer: `${pointer}${at}/file`,
      message: `The original has no diagram ${quote(file)} here.`,
      suggestion,
    };
  }
  for (const place of untranslated)
    yield {
      pointer,
      message: `The description of ${originals.get(place)?.file} is not translated.`,
    };
}

/** The option that has a diagram; the order of the others does not matter. */
function placeOf(at: string): string {
  return at.startsWith('/options/') ? at : '';
}

function numbersOf(text: string): string {
  const inFormulas = formulasOf(text).formulas.flatMap(
    ({ tex }) => tex.match(/\d+(?:\.\d+)?/g) ?? [],
  );
  // Raised and lowered digits are characters, too: B₁ for B$_1$.
  const raised = proseOf(text).match(/[⁰¹²³⁴-⁹]+|[₀-₉]+/g) ?? [];
  return [...inFormulas, ...raised.map((digits) => digits.normalize('NFKC'))].sort().join(', ');
}

export const ownTranslationRules: readonly Rule<CheckedTranslation>[] = [
  translationName,
  translationComplete,
  translationFormulas,
];
