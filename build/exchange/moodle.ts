/** Reads Moodle XML. */
import querystring from 'node:querystring';
import type { Marking } from '../release/resources.ts';
import { html } from '../site/html.ts';
import type { Item, Markup } from './item.ts';
import { childrenOf, type Element, elementsIn, parseHtml, textIn } from './source.ts';

/** An answer of a multiple-choice or numerical question. */
export interface GradedAnswer {
  readonly text: string;
  /** Of the text: `html`, `plain_text`, `markdown`, `moodle_auto_format`. */
  readonly format: string;
  /** Percent of the marks, negative for a penalty. */
  readonly fraction: number;
  /** How far a number may be from this one. */
  readonly tolerance: number;
}

/** Reads the questions of a Moodle XML file. @param quiz its root */
export function* moodleItems(quiz: Element): Generator<Item> {
  let topic = '';
  for (const question of childrenOf(quiz, 'question')) {
    const type = question.attributes['type'] ?? '';
    if (type === 'category') topic = topicOf(fieldText(question, 'category'));
    else yield itemOf(question, type, topic);
  }
}

/** The topic that a category stands for: its last part. Moodle's own categories are none. */
export function topicOf(category: string): string {
  const last =
    category
      .trim()
      .split(/(?<!\/)\/(?!\/)/)
      .at(-1) ?? '';
  return /^(?:\$.*\$|top$|default for )/i.test(last) ? '' : last.replaceAll('//', '/');
}

const difficulties = /^(?:easy|medium|hard)$/i;

/** A text in one of Moodle's formats. Its Markdown is nearly that of the content format. */
export function markupOf(text: string, format: string): Markup {
  if (/markdown/.test(format)) return text;
  const escaped = /plain/.test(format) ? html`${text}`.text : text;
  return () => parseHtml(/html/.test(format) ? text : escaped.trim().replaceAll('\n', '<br>'));
}

/** The text of an element, which may be in an element `text`. */
function fieldText(parent: Element, name: string): string {
  const [found] = childrenOf(parent, name);
  return textIn(childrenOf(found, 'text')[0] ?? found).trim();
}

/** What is not read: the elements that have it, unless their text is one of these. */
const unread: readonly (readonly [what: string, elements: RegExp, absent: RegExp])[] = [
  ['feedback', /^(?:(?:partially|in)?correct)?feedback$/, /^$/],
  ['hints', /^hint$/, /^$/],
  ['id numbers', /^idnumber$/, /^$/],
  ['units', /^unit_name$/, /^$/],
  ['penalties for further tries', /^penalty$/, /^0*\.?0*$/],
  ['shuffled options', /^shuffleanswers$/, /^(?:0|false|)$/],
  ['upper and lower case', /^usecase$/, /^(?:0|false|)$/],
  ['tags', /^tag$/, difficulties],
];

function itemOf(question: Element, kind: string, topic: string): Item {
  const isIn = (elements: RegExp, absent: RegExp) =>
    elementsIn(question, elements).some((element) => !absent.test(textIn(element).trim()));
  const markup = (name: string) => {
    const format = childrenOf(question, name)[0]?.attributes['format'] ?? 'html';
    return markupOf(fieldText(question, name), format);
  };
  const choice = fieldText(question, 'single') === 'false' ? 'multichoice multiple' : 'multichoice single';
  const type = kind === 'multichoice' ? choice : kind;
  const tags = elementsIn(question, /^tag$/).map((tag) => textIn(tag).trim().toLowerCase());
  const path = (name: string) => querystring.unescape(name).replace(/^(?:@@PLUGINFILE@@)?\/?/, '');
  const answers = childrenOf(question, 'answer').map((answer) => ({
    text: fieldText(answer, 'text').replace(/^[tf](?=rue$|alse$)/, (letter) => letter.toUpperCase()),
    format: answer.attributes['format'] ?? 'html',
    fraction: Number(answer.attributes['fraction'] ?? 0),
    tolerance: Number(fieldText(answer, 'tolerance')) || 0,
  }));
  const losses = unread.filter(([, elements, absent]) => isIn(elements, absent)).map(([what]) => what);
  return {
    name: fieldText(question, 'name'),
    text: markup('questiontext'),
    solution: markup('generalfeedback'),
    fields: { topic, difficulty: tags.find((tag) => difficulties.test(tag)) ?? '' },
    image: (source) => {
      const file = elementsIn(question, /^file$/).find(
        ({ attributes }) => path(`${attributes['path']}${attributes['name']}`) === path(source),
      );
      return file && Buffer.from(textIn(file), 'base64');
    },
    ...gradedItem(type, answers, Number(fieldText(question, 'defaultgrade') || 1), losses),
  };
}

/** What answers with fractions become: options or numbers, and marks. @param grade the marks for a correct response */
export function gradedItem(
  type: string,
  answers: readonly GradedAnswer[],
  grade: number,
  losses: readonly string[],
): Pick<Item, 'type' | 'options' | 'answers' | 'marking' | 'losses'> {
  const isMultiple = type === 'multichoice multiple';
  const isCorrect = ({ fraction }: GradedAnswer) => (isMultiple ? fraction > 0 : fraction >= 100);
  const right = answers.filter(isCorrect);
  const wrong = answers.filter((answer) => !isCorrect(answer)).map(({ fraction }) => fraction);
  const isPattern = ({ text }: GradedAnswer) => type === 'shortanswer' && /(?<!\\)\*/.test(text);
  const share = 100 / right.length;
  // Elsewhere, choosing a correct and a wrong option scores something.
  const isOurs = isMultiple
    ? right.every(({ fraction }) => Math.abs(fraction - share) < 0.01) && wrong.every((fraction) => fraction <= -100)
    : wrong.every((fraction) => fraction <= 0 && fraction === wrong[0]);
  const [penalty = 0] = isMultiple || !isOurs ? [] : wrong;
  const marking: Marking = {
    correct: grade,
    ...(penalty < 0 && { incorrect: rounded((grade * penalty) / 100) }),
    ...(isMultiple && right.length > 1 && { partial: rounded(grade / right.length) }),
  };
  return {
    type,
    options: answers.map((answer) => ({ text: markupOf(answer.text, answer.format), isCorrect: isCorrect(answer) })),
    answers: right
      .filter((answer) => !isPattern(answer))
      .map(({ text, tolerance }) => ({ value: text.replaceAll('\\*', '*'), below: tolerance, above: tolerance })),
    marking: grade > 0 && JSON.stringify(marking) !== '{"correct":1}' ? marking : undefined,
    losses: [...losses, ...(isOurs ? [] : ['partial fractions']), ...(right.some(isPattern) ? ['wildcards'] : [])],
  };
}

function rounded(marks: number): number {
  return Number(marks.toFixed(4));
}
