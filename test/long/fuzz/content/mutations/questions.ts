import type { Draw } from '../../draw.ts';
import { questionFields } from '../model/content.ts';
import pieces from './pieces.json' with { type: 'json' };
import { mutateText } from './texts.ts';

const { printed, topics, moments } = pieces.questions;
const marks = [...pieces.questions.marks, -0];
const answers = [...pieces.questions.answers, '0.1'.padEnd(400, '1'), '9'.repeat(309), '9'.repeat(308)];

type Question = Record<string, unknown>;
type Paper = { questions?: unknown; passages?: unknown; marking?: unknown };
type Option = Record<string, unknown>;

/** Edits a paper like a person; most results are valid. */
export function editQuestions(draw: Draw, paper: Paper): void {
  const questions = paper.questions;
  if (!Array.isArray(questions) || questions.length === 0) return;
  const at = draw.below(questions.length);
  const question = questions[at] as Question;
  if (typeof question !== 'object' || question === null) return;
  const edit = draw.weighted<() => void>([
    [6, () => editText(draw, question)],
    [2, () => void questions.splice(at, 1)],
    [2, () => void questions.splice(draw.below(questions.length), 0, ...questions.splice(at, 1))],
    [1, () => void questions.splice(at, 0, structuredClone(question))],
    [2, () => Object.assign(question, { id: draw.pick(ids(textOf(question['id']))) })],
    [1, () => Object.assign(question, { id: (draw.pick(questions) as Question | null)?.['id'] })],
    [2, () => Object.assign(question, { difficulty: draw.pick(['easy', 'medium', 'hard']) })],
    [2, () => Object.assign(question, { topic: draw.pick(topics) })],
    [2, () => Object.assign(question, { answer: draw.pick(answers) })],
    [1, () => Object.assign(question, { dropped: true })],
    [2, () => Object.assign(question, { accepted: [question['answer'], draw.pick(answers)] })],
    [1, () => Object.assign(question, { accepted: [draw.pick(answers), draw.pick(answers)] })],
    [2, () => editOptions(draw, question)],
    [1, () => Object.assign(question, numerical(draw))],
    [1, () => Object.assign(question, { type: draw.pick(['mcq', 'msq', 'numerical']) })],
    [3, () => Object.assign(question, { [draw.pick(['number', 'section'])]: draw.pick(printed) })],
    [2, () => Object.assign(question, { passage: draw.pick(['p1', 'p2', 'P1', '', 'q1']) })],
    [2, () => Object.assign(question, { solution: mutateText(draw, textOf(question['question'])) })],
    [2, () => Object.assign(question, { answerRange: range(draw) })],
    [2, () => Object.assign(draw.chance(0.5) ? question : paper, { marking: marking(draw) })],
    [3, () => delete question[draw.pick(questionFields)]],
    [2, () => editPassages(draw, paper)],
    [1, () => delete question['diagrams']],
    [
      1,
      () =>
        Object.assign(question, {
          diagrams: [{ file: draw.pick(files(textOf(question['id']))), alt: draw.pick(topics) }],
        }),
    ],
    [2, () => Object.assign(paper, { lastUpdated: draw.pick(moments) })],
    [1, () => void questions.splice(draw.below(questions.length + 1))],
    [1, () => Object.assign(question, Object.fromEntries(Object.entries(question).reverse()))],
  ]);
  edit();
}

function editText(draw: Draw, question: Question): void {
  const options = objectsIn(question['options']);
  const option = draw.chance(0.4) && options.length > 0 ? draw.pick(options) : undefined;
  if (option) option['value'] = mutateText(draw, textOf(option['value']));
  else question['question'] = mutateText(draw, textOf(question['question']));
}

function editOptions(draw: Draw, question: Question): void {
  const options: unknown[] = Array.isArray(question['options']) ? question['options'] : [];
  const objects = objectsIn(options);
  const edit = draw.pick<() => void>([
    () => options.push({ key: draw.pick(['A', 'E', 'F', 'e', '1', 'AA']), value: draw.pick(topics) }),
    () => options.pop(),
    () => options.reverse(),
    () => options.splice(0),
    () => objects.forEach((option, index) => void Object.assign(option, { key: 'PQRSTUVWXYZ'.charAt(index) })),
    () => objects.forEach((option) => void Object.assign(option, { value: objects[0]?.['value'] })),
    () => objects.forEach((option, index) => void Object.assign(option, { label: `(${index + 1})` })),
    () => objects.forEach((option) => void Object.assign(option, { label: draw.pick(printed) })),
    () =>
      objects.forEach(
        (option) => void Object.assign(option, { diagram: { file: draw.pick(files(textOf(question['id']))) } }),
      ),
    () => {
      for (const option of objects) delete option[draw.pick(['value', 'label', 'diagram', 'key'])];
    },
    () => options.push(...structuredClone(options)),
  ]);
  edit();
}

/** The items of a list that can have properties. */
function objectsIn(value: unknown): Option[] {
  const items: unknown[] = Array.isArray(value) ? value : [];
  return items.filter((item): item is Option => typeof item === 'object' && item !== null);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : 'q1';
}

function editPassages(draw: Draw, paper: Paper): void {
  const passages = objectsIn(paper.passages);
  if (passages.length === 0) {
    paper.passages = [{ id: 'p1', text: draw.pick(topics) }];
    return;
  }
  const passage = draw.pick(passages);
  const edit = draw.pick<() => void>([
    () => Object.assign(passage, { text: mutateText(draw, textOf(passage['text'])) }),
    () => Object.assign(passage, { id: draw.pick(['p1', 'p2', 'p3', '']) }),
    () => delete passage[draw.pick(['id', 'text', 'diagrams'])],
    () => Object.assign(paper, { passages: passages.toReversed() }),
    () => Object.assign(paper, { passages: [...passages, structuredClone(passage)] }),
    () => delete paper.passages,
  ]);
  edit();
}

function range(draw: Draw): object {
  return { min: draw.pick(answers), max: draw.pick(answers) };
}

function marking(draw: Draw): object {
  const names = ['correct', 'incorrect', 'unanswered', 'partial'].filter(() => draw.chance(0.7));
  return Object.fromEntries(names.map((name) => [name, draw.pick(marks)]));
}

function numerical(draw: Draw): Question {
  return { type: 'numerical', options: [], answer: draw.pick(answers) };
}

function ids(id: string): string[] {
  // biome-ignore format: a list
  return [
    `${id}x`,
    `x${id}`,
    'q1',
    'q-1',
    'Q_1',
    `${id.slice(0, -2)}99`,
    `${id.slice(0, -2)}1`,
    id.toUpperCase(),
    id.replace('physics', 'chemistry'),
    id.replace('2024', '2023'),
    '', '.', '..', '../x', 'a/b', 'a b', '-', '_', '__proto__', 'é',
    'x'.repeat(100),
    'x'.repeat(101),
    '\u0000',
  ];
}

function files(id: string): string[] {
  return [
    `${id}.png`,
    `${id}.svg`,
    `${id}-a.jpeg`,
    `${id}.PNG`,
    `${id}`,
    `../${id}.png`,
    `${id}/x.png`,
    `x.png`,
    `${id}%2F.png`,
    `${id} a.svg`,
    `${id}\u0000.png`,
    `${id}.svg.exe`,
    `é${id}.png`,
  ];
}
