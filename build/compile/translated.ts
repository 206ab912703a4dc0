import type {
  Diagram,
  Option,
  Passage,
  Question,
  SubjectFile,
  TranslatedPassage,
  TranslatedQuestion,
  TranslationFile,
} from '../content/written.ts';

/** A subject file with the texts of its translation, in place of its own. */
export function translated(
  original: SubjectFile,
  translation: TranslationFile | SubjectFile,
): SubjectFile {
  const { passages = [], questions, lastUpdated } = original;
  const byId = <Item extends { readonly id: string }>(items: readonly Item[] = []) =>
    new Map(items.map((item) => [item.id, item]));
  const translatedPassages = byId<TranslatedPassage | Passage>(translation.passages);
  const translatedQuestions = byId<TranslatedQuestion | Question>(translation.questions);
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
  translation: TranslatedPassage | Passage | undefined,
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
  translation: TranslatedQuestion | Question | undefined,
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
  originals: readonly Diagram[] | undefined,
  translations: readonly Diagram[] = [],
): readonly Diagram[] | undefined {
  return originals?.map((original) =>
    withAlt(
      original,
      translations.find(({ file }) => file === original.file),
    ),
  );
}

function withAlt(original: Diagram, translation: Diagram | undefined): Diagram {
  return translation?.alt === undefined ? original : { ...original, alt: translation.alt };
}
