import { isDeepStrictEqual } from 'node:util';
import { canonicalJson, checksum } from '../../../../build/canonical-json.ts';
import type { StoredRelease } from '../../http/stored-release.ts';
import { type Bank, isPaper, isTranslation, nameOf } from '../bank.ts';
import { codeOf, diagramsOf, type Json, objectOf } from './content.ts';
import { originalPath } from './translation.ts';

/** A question file as it is served. */
interface QuestionFile extends Json {
  readonly total: number;
  readonly questions: readonly Json[];
  readonly metadata: { readonly checksum: string };
}

/** The fields of a question and an option that are served as written, if they are written. */
const servedAsWritten = {
  question: [
    'id',
    'type',
    'question',
    'answer',
    'topic',
    'difficulty',
    'accepted',
    'dropped',
    'solution',
    'passage',
  ],
  option: ['key', 'value', 'label'],
};

/**
 * Compares a release of valid content with it: each file and diagram is served, nothing else, and the checksums are those of
 * the design (Resources). Tests of the build prove the form of the resources.
 *
 * @returns a message for each difference
 */
export function releaseErrors(bank: Bank, { resources, shifts }: StoredRelease): string[] {
  const bytesAt = (access: keyof typeof resources, path: string) =>
    resources[access].get(path)?.find(({ coding }) => coding === 'identity')?.bytes;
  const errors: string[] = [];
  const check = (isRight: boolean, path: string, what: string) => {
    if (!isRight)
      errors.push(`${path}: ${what}, ${bytesAt('protected', path) ?? bytesAt('public', path)}`);
  };
  const files = [...bank.keys()].filter((path) => isPaper(path) || isTranslation(path));
  const expected = new Set(files);
  const served = new Map<string, QuestionFile>();
  for (const path of files) {
    const file = objectOf(bytesAt('protected', path)) as QuestionFile | undefined;
    if (!file) return [`${path} is missing`];
    served.set(path, file);
    const { questions = [], passages = [] } = (objectOf(bank.get(originalPath(path))) ??
      {}) as Record<string, Json[]>;
    const [exam, year, shift] = path.split('/');
    const { subject, language } = nameOf(path);
    const names = [
      file['exam'],
      file['year'],
      file['shift'],
      file['subject'],
      file['language'] ?? '',
    ];
    check(
      isDeepStrictEqual(names, [exam, Number(year), shift, subject, language]),
      path,
      'another name',
    );
    check(
      file.total === questions.length && file.questions.length === questions.length,
      path,
      'another total',
    );
    check(
      file.metadata.checksum === checksum(canonicalJson(file.questions)),
      path,
      'another checksum',
    );
    const own = (objectOf(bank.get(path))?.['questions'] ?? []) as readonly Json[];
    const areServed = file.questions.every((one, index) => {
      const original = questions[index] ?? {};
      return isServed(one, translated(original, own.find(({ id }) => id === original['id']) ?? {}));
    });
    check(areServed, path, 'another question');
    const used = passages.filter(({ id }) => questions.some(({ passage }) => passage === id));
    for (const { file: name } of [...questions, ...used].flatMap(diagramsOf)) {
      const diagram = `${path.slice(0, path.lastIndexOf('/'))}/diagrams/${name}`;
      expected.add(diagram);
      check(
        bytesAt('protected', diagram)?.equals(bank.get(diagram) ?? Buffer.alloc(0)) === true,
        diagram,
        'other bytes',
      );
    }
  }
  for (const path of resources.protected.keys())
    check(expected.has(path), path, 'nothing of the bank');
  for (const [exam, years] of shifts) {
    const { subjects: listed } = objectOf(bank.get(`${exam}/exam.json`)) as {
      readonly subjects: (string | Json)[];
    };
    const subjects = listed.map(codeOf);
    const inOrder = [...years.keys()].map(Number).sort((one, other) => other - one);
    check(
      isDeepStrictEqual(objectOf(bytesAt('public', exam))?.['years'], inOrder),
      exam,
      'other years',
    );
    for (const [year, names] of years) {
      const summaries = (objectOf(bytesAt('public', `${exam}/${year}`))?.['shifts'] ??
        []) as readonly Json[];
      const right = names.map((shift) => {
        const ofShift = subjects.flatMap((subject) => {
          const file = served.get(`${exam}/${year}/${shift}/${subject}.json`);
          return file ? [[subject, file] as const] : [];
        });
        const checksums = Object.fromEntries(
          ofShift.map(([subject, { metadata }]) => [subject, metadata.checksum]),
        );
        const total = ofShift.reduce((sum, [, file]) => sum + file.total, 0);
        return [
          shift,
          ofShift.map(([subject]) => subject),
          total,
          checksum(canonicalJson(checksums)),
        ];
      });
      const found = summaries.map((one) => [
        one['shift'],
        one['subjects'],
        one['total'],
        one['checksum'],
      ]);
      check(isDeepStrictEqual(found, right), `${exam}/${year}`, `not ${JSON.stringify(right)}`);
    }
  }
  return errors;
}

/** A question with the texts of its translation, which may be itself. */
function translated(original: Json, own: Json): Json {
  const [options, texts] = [original['options'] ?? [], own['options'] ?? []] as [Json[], Json[]];
  const merged = options.map((option) => ({
    ...option,
    ...texts.find(({ key }) => key === option['key']),
  }));
  return { ...original, ...own, options: merged };
}

/** Whether a question is served as it is written. */
function isServed(served: Json, written: Json): boolean {
  const isSame = (one: Json, other: Json, names: readonly string[]) =>
    names.every((name) => other[name] === undefined || isDeepStrictEqual(one[name], other[name]));
  const [options, others] = [served['options'], written['options'] ?? []] as [Json[], Json[]];
  const areSame = others.every((option, index) =>
    isSame(options[index] ?? {}, option, servedAsWritten.option),
  );
  return areSame && isSame(served, written, servedAsWritten.question);
}
