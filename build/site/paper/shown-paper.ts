/** What pages show of a paper: of a subject file, or of the response that is made from it. */
import { type LenientQuestion, lenientPaper } from '../../content/question.ts';

/** A paper as far as its file can be read: what is missing or of the wrong type is empty. */
export type ShownPaper = Readonly<ReturnType<typeof shownPaper>>;
export type ShownQuestion = Readonly<ReturnType<typeof shownQuestion>>;
export type ShownOption = ShownQuestion['options'][number];

/** @param value of a subject file, which may be invalid, or of a response */
export function shownPaper(value: unknown) {
  const paper = lenientPaper(value);
  return { ...paper, questions: paper.questions.map(shownQuestion) as readonly ShownQuestion[] };
}

/** Marks each option that is right, or is accepted beside the right one. */
function shownQuestion(question: LenientQuestion) {
  const { type, answer, options } = question;
  const accepted = question.accepted.filter((one) => one !== '');
  const right = answer.split(',').map((key) => key.trim());
  const markOf = (key: string) => {
    if (key !== '' && right.includes(key)) return 'right';
    return type === 'mcq' && accepted.includes(key) ? 'accepted' : undefined;
  };
  return {
    ...question,
    accepted,
    options: options.map((option) => ({ ...option, mark: markOf(option.key) })),
  };
}
