import { type Draw, words } from '../../draw.ts';
import { questionFields } from '../model/content.ts';
import { mutateText } from './texts.ts';

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

const marks = [4, 3, 2.5, 1, 0, -0, -0.25, -1, -2, 1000, -1000, 1001, 1e-9, 1e21, '4', null];

/** Numbers, sections and labels as printed. */
// biome-ignore format: a list
const printed = [
  '1',
  '12',
  'Q.3 (a)',
  '(1)',
  'Section A',
  'खंड क',
  ' 1',
  '1 ',
  '',
  'x'.repeat(20),
  'x'.repeat(21),
  'x'.repeat(101),
  '\u{1f600}'.repeat(20),
  'e\u0301', '1\u200b2', 'a\u00adb', 'a\nb', 'a\u2028b', 'a\u202eb', 'a\ud800b', 'Ã©', '\ufffd', '<b>x</b>', '$x$',
  '**x**', '__proto__', 12,
];

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

const topics = [
  ...words(`
    Optics optics Opti<b>cs</b> Café ध्वनि __proto__ constructor . "
  `),
  ' Optics',
  'Optics ',
  'A & B',
  'Cafe\u0301',
  '$x$',
  'x'.repeat(100),
  'x'.repeat(101),
  '',
  '\u200b',
  '\u0000',
  'A drawing',
  "'",
  '\\',
  'a\nb',
];
const answers = [
  ...words(`
    A B C D E a A,B A,C B,A A,A A,B,C,D 0 1 -1 2.5 2.50 -0 -0.0 0.0 01 1. .5 +1 1e5 1e309 1,5 NaN
  `),
  'A, B',
  '',
  ' ',
  '0.1'.padEnd(400, '1'),
  '9'.repeat(309),
  '9'.repeat(308),
  '\u0661',
  'A\n',
];
const moments = words(`
  2024-06-01T10:00:00Z 2023-12-31T23:59:59.999Z 2025-01-01T00:00:00.000000001Z 2026-02-01T00:00:00Z
  2026-02-01T00:00:00.001Z 2027-01-01T00:00:00Z 2016-12-31T23:59:60Z 1999-01-01T00:00:00Z
  0001-01-01T00:00:00Z 2024-06-01T10:00:00.1Z 2024-06-01T10:00:00.10Z
`);
