/** Reads and writes Moodle XML. */
import { micromark } from 'micromark';
import { gfmTable, gfmTableHtml } from 'micromark-extension-gfm-table';
import type { Marking } from '../release/resources.ts';
import type { Item } from './item.ts';
import { childrenOf, decodedPath, type Element, elementsIn, type Node, parseHtml, textIn } from './tree.ts';

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
  const [last = ''] = category
    .trim()
    .split(/(?<!\/)\/(?!\/)/)
    .slice(-1);
  return /^(?:\$.*\$|top$|default for )/i.test(last) ? '' : last.replaceAll('//', '/');
}

/** Markup of a text in one of Moodle's formats. */
export function markupOf(text: string, format: string): Node[] {
  if (/plain/.test(format)) return text.split(/(\n)/).map((line) => (line === '\n' ? lineBreak : line));
  if (/markdown/.test(format))
    return parseHtml(
      micromark(text, { allowDangerousHtml: true, extensions: [gfmTable()], htmlExtensions: [gfmTableHtml()] }),
    );
  return parseHtml(/html/.test(format) ? text : text.trim().replaceAll('\n', '<br>'));
}

const lineBreak: Element = { name: 'br', attributes: {}, children: [] };

/** The text of an element, which may be in an element `text`. */
function fieldText(parent: Element, name: string): string {
  const [found] = childrenOf(parent, name);
  return textIn(childrenOf(found, 'text')[0] ?? found).trim();
}

/** What is not read, by the element that has it. */
const unread: Readonly<Record<string, string>> = {
  ...{ correctfeedback: 'feedback', partiallycorrectfeedback: 'feedback', incorrectfeedback: 'feedback' },
  ...{ hint: 'hints', idnumber: 'id numbers', units: 'units', unitgradingtype: 'units' },
};

function itemOf(question: Element, kind: string, topic: string): Item {
  const losses = childrenOf(question).flatMap((child) => (textIn(child).trim() && unread[child.name]) || []);
  const answers = childrenOf(question, 'answer');
  if (answers.some((answer) => fieldText(answer, 'feedback') !== '')) losses.push('feedback');
  if (Number(fieldText(question, 'penalty')) > 0) losses.push('penalties for further tries');
  if (/^(?:1|true)$/.test(fieldText(question, 'shuffleanswers'))) losses.push('shuffled options');
  const markup = (name: string) => {
    const format = childrenOf(question, name)[0]?.attributes['format'] ?? 'html';
    return () => markupOf(fieldText(question, name), format);
  };
  const type =
    kind === 'multichoice' ? `${kind} ${fieldText(question, 'single') === 'false' ? 'multiple' : 'single'}` : kind;
  const tags = elementsIn(question, /^tag$/).map((tag) => textIn(tag).trim());
  const difficulty = tags.find((tag) => /^(?:easy|medium|hard)$/i.test(tag)) ?? '';
  if (tags.some((tag) => tag !== difficulty)) losses.push('tags');
  const files = elementsIn(question, /^file$/);
  const grade = Number(fieldText(question, 'defaultgrade') || 1);
  const graded = answers.map((answer) => ({
    text: fieldText(answer, 'text').replace(/^(?:true|false)$/, titled),
    format: answer.attributes['format'] ?? 'html',
    fraction: Number(answer.attributes['fraction'] ?? 0),
    tolerance: Number(fieldText(answer, 'tolerance')) || 0,
  }));
  return {
    name: fieldText(question, 'name'),
    text: markup('questiontext'),
    solution: markup('generalfeedback'),
    fields: { topic, difficulty },
    image: (source) => {
      const path = (name: string) => decodedPath(name).replace(/^(?:@@PLUGINFILE@@)?\/?/, '');
      const file = files.find(
        ({ attributes: { path: folder = '', name = '' } }) => path(folder + name) === path(source),
      );
      return file && Buffer.from(textIn(file), 'base64');
    },
    ...gradedItem(type, graded, grade, losses),
  };
}

/** `true` as an option. */
function titled(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** What answers with fractions become: options or numbers, and marks. @param grade the marks for a correct response */
export function gradedItem(
  type: string,
  answers: readonly GradedAnswer[],
  grade: number,
  losses: readonly string[],
): Pick<Item, 'type' | 'options' | 'numbers' | 'marking' | 'losses'> {
  const isMultiple = type === 'multichoice multiple';
  const isCorrect = ({ fraction }: GradedAnswer) => (isMultiple ? fraction > 0 : fraction >= 100);
  const right = answers.filter(isCorrect);
  const wrong = answers.filter((answer) => !isCorrect(answer)).map(({ fraction }) => fraction);
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
  const isDefault = Object.keys(marking).length === 1 && grade === 1;
  return {
    type,
    options: answers.map((answer) => ({
      text: () => markupOf(answer.text, answer.format),
      isCorrect: isCorrect(answer),
    })),
    numbers: right.map(({ text, tolerance }) => ({ value: text, below: tolerance, above: tolerance })),
    marking: isDefault || grade <= 0 ? undefined : marking,
    losses: [...losses, ...(isOurs ? [] : ['partial fractions']), ...(grade > 0 ? [] : ['marks'])],
  };
}

function rounded(marks: number): number {
  return Number(marks.toFixed(4));
}
