/** Reads and writes Moodle XML. */
import querystring from 'node:querystring';
import { acceptedNumbers } from '../client/range.ts';
import type { Marking } from '../release/resources.ts';
import { type Html, html } from '../site/html.ts';
import { decimalOf, type Item, lossesIf, type Markup } from './item.ts';
import {
  delimited,
  type ExportedQuestion,
  optionHtml,
  questionHtml,
  type Renderer,
  rendered,
} from './render.ts';
import { childrenOf, type Element, elementsIn, parseHtml, textIn } from './source.ts';
import vocabulary from './vocabulary.json' with { type: 'json' };

/** An answer of a multiple-choice or numerical question. */
export interface GradedAnswer {
  readonly text: string;
  /** How the text is written: `html`, `plain_text`, `markdown`, `moodle_auto_format`. */
  readonly format: string;
  /** Percent of the marks, negative for a penalty. */
  readonly fraction: number;
  /** How far a number may be from this one. */
  readonly margin: number;
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
const unread = vocabulary.unread.map(([what = '', elements = '', absent = '']) => {
  return {
    what,
    elements: new RegExp(`^(?:${elements})$`),
    absent: new RegExp(`^(?:${absent})$`, 'i'),
  };
});

function itemOf(question: Element, kind: string, topic: string): Item {
  const isIn = (elements: RegExp, absent: RegExp) =>
    elementsIn(question, elements).some((element) => !absent.test(textIn(element).trim()));
  const markup = (name: string) => {
    const format = childrenOf(question, name)[0]?.attributes['format'] ?? 'html';
    return markupOf(fieldText(question, name), format);
  };
  const choice = /^false$/i.test(fieldText(question, 'single'))
    ? 'multichoice multiple'
    : 'multichoice single';
  const type = kind === 'multichoice' ? choice : kind;
  const tags = elementsIn(question, /^tag$/).map((tag) => textIn(tag).trim().toLowerCase());
  const path = (name: string) => querystring.unescape(name).replace(/^(?:@@PLUGINFILE@@)?\/?/, '');
  const files = new Map(
    elementsIn(question, /^file$/)
      .toReversed()
      .map((file) => [path(`${file.attributes['path']}${file.attributes['name']}`), file]),
  );
  const answers = childrenOf(question, 'answer').map((answer) => ({
    text: fieldText(answer, 'text').replace(/^[tf](?=rue$|alse$)/, (letter) =>
      letter.toUpperCase(),
    ),
    format: answer.attributes['format'] ?? 'html',
    fraction: Number(answer.attributes['fraction'] ?? 0),
    margin: Number(fieldText(answer, vocabulary.margin.moodle)) || 0,
  }));
  const losses = unread
    .filter(({ elements, absent }) => isIn(elements, absent))
    .map(({ what }) => what);
  return {
    name: fieldText(question, 'name'),
    text: markup('questiontext'),
    solution: markup('generalfeedback'),
    fields: { topic, difficulty: tags.find((tag) => difficulties.test(tag)) ?? '' },
    image: (source) => {
      const file = files.get(path(source));
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
    ? right.every(({ fraction }) => Math.abs(fraction - share) < 0.01) &&
      wrong.every((fraction) => fraction <= -100)
    : wrong.every((fraction) => fraction <= 0 && fraction === wrong[0]);
  const [penalty = 0] = isMultiple || !isOurs ? [] : wrong;
  const marking: Marking = {
    correct: grade,
    ...(penalty < 0 && { incorrect: rounded((grade * penalty) / 100) }),
    ...(isMultiple && right.length > 1 && { partial: rounded(grade / right.length) }),
  };
  return {
    type,
    options: answers.map((answer) => ({
      text: markupOf(answer.text, answer.format),
      isCorrect: isCorrect(answer),
    })),
    answers: right
      .filter((answer) => !isPattern(answer))
      .map(({ text, margin }) => ({
        value: text.replaceAll('\\*', '*'),
        below: margin,
        above: margin,
      })),
    marking: grade > 0 && JSON.stringify(marking) !== '{"correct":1}' ? marking : undefined,
    losses: [
      ...losses,
      ...lossesIf({ 'partial fractions': !isOurs, wildcards: right.some(isPattern) }),
    ],
  };
}

function rounded(marks: number): number {
  return Number(marks.toFixed(4));
}

const renderer: Renderer = {
  formula: delimited,
  address: (file) => `@@PLUGINFILE@@/${file}`,
};

/** Fields that Moodle does not have. */
export const unknownToMoodle = ['number', 'section', 'lang'];

/** Writes questions as Moodle XML, with a category for each topic. @param read returns the bytes of a diagram */
export function moodleXml(
  questions: readonly ExportedQuestion[],
  read: (file: string) => Uint8Array,
): string {
  const parts = questions.map((question, index) => {
    const isNewTopic = question.topic !== questions[index - 1]?.topic;
    return html`${isNewTopic ? category(question.topic) : ''}${questionXml(question, read)}`;
  });
  return html`<?xml version="1.0" encoding="UTF-8"?>\n<quiz>\n${parts}</quiz>\n`.text;
}

/** The category of the questions after it. */
function category(topic = ''): Html {
  const path = `$course$/top/${topic.replaceAll('/', '//')}`.replace(/\/$/, '');
  return html`<question type="category"><category><text>${path}</text></category></question>\n`;
}

const typeNames = {
  mcq: 'multichoice',
  msq: 'multichoice',
  numerical: 'numerical',
  text: 'shortanswer',
} as const;

function questionXml(question: ExportedQuestion, read: (file: string) => Uint8Array): Html {
  const { id, type, marking, diagrams = [], solution = '', difficulty } = question;
  /** A text, with the files of its images. */
  const text = (name: string, markup: Html, attributes: Html | string = '') => {
    const files = Array.from(
      markup.text.matchAll(/@@PLUGINFILE@@\/([\w.-]+)/g),
      ([, file = '']) => file,
    );
    const content = (file: string) => Buffer.from(read(file)).toString('base64');
    return html`<${name} format="html"${attributes}><text>${markup.text}</text>${[
      ...new Set(files),
    ].map(
      (file) => html`<file name="${file}" path="/" encoding="base64">${content(file)}</file>`,
    )}</${name}>\n`;
  };
  const fractions = fractionsOf(question);
  const options = question.options.map((option) =>
    text(
      'answer',
      optionHtml(option, diagrams, renderer),
      html` fraction="${fractions(option.key)}"`,
    ),
  );
  const stem = text('questiontext', questionHtml(question, renderer));
  const feedback = text('generalfeedback', rendered(solution, diagrams, renderer));
  return html`<question type="${typeNames[type]}">
<name><text>${id}</text></name>
${stem}${feedback}<defaultgrade>${marking.correct}</defaultgrade>
<penalty>0</penalty>
${
  options.length > 0 &&
  html`<single>${String(type === 'mcq')}</single>
<shuffleanswers>false</shuffleanswers>
<answernumbering>ABCD</answernumbering>`
}
${options.length > 0 ? options : answersXml(question)}${difficulty && html`<tags><tag><text>${difficulty}</text></tag></tags>\n`}</question>
`;
}

/** Percent of the marks for each option. */
function fractionsOf(question: ExportedQuestion): (key: string) => number {
  const { type, answer, accepted = [answer], marking, losses } = question;
  const { correct, incorrect = 0, unanswered = 0, partial = 0 } = marking;
  const right = type === 'msq' ? answer.split(',') : accepted;
  // Moodle gives a share of the marks for each correct option, and nothing below 0 in all.
  const share = right.length > 1 ? correct / right.length : 0;
  const isExact =
    type === 'mcq' || (incorrect === 0 && (type !== 'msq' || Math.abs(partial - share) < 0.001));
  if (!isExact || unanswered !== 0) losses.add('marks');
  if (type === 'msq' && accepted.length > 1) losses.add('accepted');
  const wrong = type === 'msq' ? -100 : (100 * incorrect) / correct;
  return (key) =>
    Number((right.includes(key) ? 100 / (type === 'msq' ? right.length : 1) : wrong).toFixed(5));
}

/** The answers of a question without options. Moodle has no range that is not centred. */
function answersXml(question: ExportedQuestion): Html[] {
  const { type, answer, accepted = [answer], losses } = question;
  const xml = (value: string, margin?: Html) =>
    html`<answer fraction="100"><text>${value}</text>${margin}</answer>\n`;
  if (type === 'text') return accepted.map((one) => xml(one.replaceAll('*', '\\*')));
  const name = vocabulary.margin.moodle;
  return acceptedNumbers(question).map(({ value, below, above }) => {
    if (Math.abs(above - below) > 1e-9) losses.add('answerRange');
    const centre = above === below ? value : decimalOf(Number(value) + (above - below) / 2);
    return xml(centre ?? value, html`<${name}>${decimalOf((below + above) / 2)}</${name}>`);
  });
}
