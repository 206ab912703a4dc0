import type {
  DiagramReference,
  Option,
  Passage,
  Question,
  SubjectFile,
  TranslatedQuestion,
  TranslationFile,
} from '../content/types.ts';

/** A subject file with the texts of its translation, in place of its own. */
export function translated(original: SubjectFile, translation: TranslationFile): SubjectFile {
  const { passages = [], questions, lastUpdated } = original;
  const byId = <Item extends { readonly id: string }>(items: readonly Item[] = []) =>
    new Map(items.map((item) => [item.id, item]));
  const translatedPassages = byId(translation.passages);
  const translatedQuestions = byId(translation.questions);
  return {
    ...original,
    lastUpdated:
      Date.parse(lastUpdated) < Date.parse(translation.lastUpdated)
        ? translation.lastUpdated
        : lastUpdated,
    passages: passages.map((passage) =>
      translatedPassage(passage, translatedPassages.get(passage.id)),
    ),
    questions: questions.map((question) =>
      translatedQuestion(question, translatedQuestions.get(question.id)),
    ),
  };
}

/** A passage with the texts of its translation, if there is one. */
export function translatedPassage<Original extends Passage>(
  original: Original,
  translation: Passage | undefined,
): Original {
  if (!translation) return original;
  return {
    ...original,
    text: translation.text,
    diagrams: translatedDiagrams(original.diagrams, translation.diagrams),
  };
}

/** A question with the texts of its translation, if there is one. */
export function translatedQuestion<Original extends Pick<Question, keyof TranslatedQuestion>>(
  original: Original,
  translation: TranslatedQuestion | undefined,
): Original {
  if (!translation) return original;
  const options = new Map(translation.options?.map((option) => [option.key, option]));
  return {
    ...original,
    question: translation.question,
    options: original.options.map((option) => translatedOption(option, options.get(option.key))),
    solution: original.solution && (translation.solution ?? original.solution),
    diagrams: translatedDiagrams(original.diagrams, translation.diagrams),
  };
}

function translatedOption(
  original: Option,
  translation: Omit<Option, 'label'> | undefined,
): Option {
  return {
    ...original,
    value: original.value && (translation?.value ?? original.value),
    diagram: original.diagram && withAlt(original.diagram, translation?.diagram),
  };
}

function translatedDiagrams(
  originals: readonly DiagramReference[] | undefined,
  translations: readonly DiagramReference[] = [],
): readonly DiagramReference[] | undefined {
  return originals?.map((original) =>
    withAlt(
      original,
      translations.find(({ file }) => file === original.file),
    ),
  );
}

function withAlt(
  original: DiagramReference,
  translation: DiagramReference | undefined,
): DiagramReference {
  return translation?.alt === undefined ? original : { ...original, alt: translation.alt };
}
