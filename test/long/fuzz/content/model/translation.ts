import { type Bank, isTranslation, nameOf } from '../bank.ts';
import { diagramsOf, type Json, objectOf } from './content.ts';
import { textError } from './text.ts';

/** What is wrong with translations beside their originals and schema, which are checked by themselves. */
export function translationErrors(bank: Bank): string[] {
  return [...bank.keys()]
    .filter(isTranslation)
    .flatMap((path) => fileErrors(path, bank).map((error) => `${path}: ${error}`));
}

function fileErrors(path: string, bank: Bank): string[] {
  const { language } = nameOf(path);
  const original = objectOf(bank.get(originalPath(path)));
  const { passages = [], questions = [] } = objectOf(bank.get(path)) ?? {};
  const errors: string[] = [];
  if (!original) return ['no original'];
  if (!/^[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|[0-9]{3}))?(?:-[a-z0-9-]+)?$/.test(language))
    errors.push(`the language ${language}`);
  for (const [items, translations] of [
    [original['passages'] ?? [], passages],
    [original['questions'], questions],
  ] as [Json[], Json[]][]) {
    if (idsOf(items) !== idsOf(translations)) errors.push(`the ids ${idsOf(translations)}`);
    for (const item of items) {
      const other = translations.find(({ id }) => id === item['id']);
      if (other) errors.push(...itemErrors(item, other).map((error) => `${item['id']}: ${error}`));
    }
  }
  return errors;
}

/** The paper that a file translates. */
export function originalPath(path: string): string {
  return `${path.slice(0, path.lastIndexOf('/') + 1)}${nameOf(path).subject}.json`;
}

function idsOf(items: readonly Json[]): string {
  return items
    .map(({ id }) => String(id))
    .sort()
    .join();
}

/** What is wrong with the texts of a question or passage. */
function itemErrors(item: Json, other: Json): string[] {
  const [texts, translations] = [item, other].map(textsOf) as [
    Map<string, string>,
    Map<string, string>,
  ];
  const missing = [...texts.keys()].filter((place) => !translations.has(place));
  const unknown = [...translations.keys()].filter(
    (place) => !texts.has(place) && !place.includes(' of '),
  );
  const wrong = [...translations].flatMap(([place, text]) => {
    if (textError(text) !== undefined) return `${textError(text)}: ${text}`;
    const isFormula =
      !place.includes(' of ') && numbersOf(text) !== numbersOf(texts.get(place) ?? '');
    return isFormula ? `the numbers of ${place}` : [];
  });
  return [
    ...missing.map((place) => `no ${place}`),
    ...unknown.map((place) => `unknown ${place}`),
    ...wrong,
  ];
}

/** The texts of a question or passage by their places; alternative texts are those of files. */
function textsOf(item: Json): Map<string, string> {
  const named: [string, unknown][] = [
    ...['question', 'text', 'solution'].map((name): [string, unknown] => [name, item[name]]),
    ...((item['options'] ?? []) as Json[]).map(({ key, value }): [string, unknown] => [
      `${key}`,
      value,
    ]),
    ...diagramsOf(item).map(({ file, alt }): [string, unknown] => [`alt of ${file}`, alt]),
  ];
  return new Map(named.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function numbersOf(text: string): string {
  const formulas = text.match(/(?<!\\)\$(?:\\[\s\S]|[^$\\])*\$/g) ?? [];
  return formulas
    .flatMap((formula) => formula.match(/\d+(?:\.\d+)?/g) ?? [])
    .sort()
    .join();
}
