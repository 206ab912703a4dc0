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
    lastUpdated: newest(lastUpdated, translation.lastUpdated),
    passages: passages.map((passage) => translatedPassage(passage, translatedPassages.get(passage.id))),
    questions: questions.map((question) => translatedQuestion(question, translatedQuestions.get(question.id))),
  };
}

function newest(one: string, other: string): string {
  return Date.parse(one) < Date.parse(other) ? other : one;
}

function translatedPassage(original: Passage, translation: Passage | undefined): Passage {
  if (!translation) return original;
  return { ...original, text: translation.text, ...translatedDiagrams(original, translation) };
}

function translatedQuestion(original: Question, translation: TranslatedQuestion | undefined): Question {
  if (!translation) return original;
  const { question, solution, options = [] } = translation;
  const byKey = new Map(options.map((option) => [option.key, option]));
  return {
    ...original,
    question,
    options: original.options.map((option) => translatedOption(option, byKey.get(option.key))),
    ...(original.solution !== undefined && solution !== undefined && { solution }),
    ...translatedDiagrams(original, translation),
  };
}

function translatedOption(original: Option, translation: Omit<Option, 'label'> | undefined): Option {
  const { value, diagram } = translation ?? {};
  return {
    ...original,
    ...(original.value !== undefined && value !== undefined && { value }),
    ...(original.diagram && { diagram: withAlt(original.diagram, diagram) }),
  };
}

function translatedDiagrams(
  { diagrams }: Pick<Question, 'diagrams'>,
  { diagrams: translations = [] }: Pick<Question, 'diagrams'>,
): Pick<Question, 'diagrams'> {
  if (!diagrams) return {};
  return {
    diagrams: diagrams.map((diagram) =>
      withAlt(
        diagram,
        translations.find(({ file }) => file === diagram.file),
      ),
    ),
  };
}

function withAlt(original: DiagramReference, translation: DiagramReference | undefined): DiagramReference {
  return translation?.alt === undefined ? original : { ...original, alt: translation.alt };
}
