import fc from 'fast-check';
import type { DiagramReference, ExamFile, Question, SubjectFile } from '../../../build/content/types.ts';

/** A text with mistakes that a repair can fix, and the intended text. */
interface MessyText {
  readonly written: string;
  readonly intended: string;
}

/** The intended content, and files with mistakes that a repair can fix. */
export interface MessyBank {
  readonly intended: Readonly<Record<'exam' | 'paper', object>>;
  readonly files: Readonly<Record<'exam' | 'paper', Uint8Array>>;
}

const repairs: Readonly<Record<string, string>> = {
  'a plain word': 'a plain word',
  '$\\frac{a}{b}$': '$\\frac{a}{b}$',
  'cafe\u0301': 'caf\u00e9',
  '\u2126': '\u03a9',
  '&lt;': '<',
  'Q&amp;A': 'Q&A',
  '&eacute;&#768;': '\u00e9\u0300',
  'e&#769;': '\u00e9',
  '1&#150;2&#x2013;3': '1–2–3',
  '5&nbsp;kg': '5\u00a0kg',
  '$x &lt; \\pi$': '$x < \\pi$',
  '$$a &ge; 1$$': '$$a ≥ 1$$',
  // Not repaired, because the meaning is ambiguous.
  '&#36;5': '&#36;5',
  '$5 &amp; 6$': '$5 &amp; 6$',
  'a&zwj;b': 'a&zwj;b',
};

/** No entity is decoded in a text with one of these. */
const ambiguous = ['&amp;lt;', '&lt;b&gt;', '<i>a</i> &lt; b'];

const messyText: fc.Arbitrary<MessyText> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc
      .array(fc.constantFrom(...Object.entries(repairs)), { minLength: 1, maxLength: 5 })
      .map((parts) => ({
        written: parts.map(([written]) => written).join(' '),
        intended: parts.map(([, intended]) => intended).join(' '),
      })),
  },
  { weight: 1, arbitrary: fc.constantFrom(...ambiguous).map((text) => ({ written: text, intended: text })) },
);

/** Random choices. */
interface Random {
  /** A whole number from 0, below `choices`. */
  readonly pick: (choices: number) => number;
  readonly text: () => MessyText;
}

type Side = keyof MessyText;

/** A bank of one paper with questions of all types and with all fields. `draw` makes the random choices. */
export function messyBank(draw: fc.GeneratorValue): MessyBank {
  const random: Random = {
    pick: (choices) => draw(fc.nat, { max: choices - 1 }),
    text: () => draw(() => messyText),
  };
  const label = random.text();
  const questions = Array.from({ length: 1 + random.pick(3) }, (_, index) => question(`q${index}`, random));
  const exam = (side: Side): ExamFile => ({ label: label[side], subjects: ['physics', 'biology'] });
  const paper = (side: Side): SubjectFile => ({
    lastUpdated: '2024-06-01T10:00:00Z',
    questions: questions.map((versions) => versions[side]),
  });
  const file = (content: object) =>
    Buffer.from((random.pick(2) ? '\ufeff' : '') + messyJson(content, random));
  return {
    intended: { exam: exam('intended'), paper: paper('intended') },
    files: { exam: file(exam('written')), paper: file(paper('written')) },
  };
}

/** The intended question, and a version with mistakes in its texts and its options in any order. */
function question(id: string, random: Random): Readonly<Record<Side, Question>> {
  const type = (['mcq', 'msq', 'numerical'] as const)[random.pick(3)] ?? 'mcq';
  const [text, topic, alt] = [random.text(), random.text(), random.text()];
  const values = Array.from({ length: type === 'numerical' ? 0 : 2 + random.pick(4) }, random.text);
  const options = (side: Side) =>
    values.map((value, index) => ({ key: 'ABCDE'.charAt(index), value: value[side] }));
  const answers = { mcq: ['B', 'A'], msq: ['A,B', 'B'], numerical: ['-2.5', '7'] }[type];
  const drawings = (side: Side): DiagramReference[] => [
    { file: `${id}-b.png`, alt: alt[side] },
    { file: `${id}-a.png`, alt: 'Another.' },
  ];
  const [isDrawn, isDropped, isAccepted] = [random.pick(2), random.pick(2), random.pick(2)];
  const version = (side: Side, ordered: Question['options']): Question => ({
    id,
    type,
    question: text[side],
    options: ordered,
    answer: answers[0] ?? '',
    topic: topic[side],
    difficulty: 'hard',
    ...(isDrawn && { diagrams: drawings(side) }),
    ...(isAccepted && { accepted: answers }),
    ...(isDropped && { dropped: true as const }),
  });
  return {
    written: version('written', shuffled(options('written'), random)),
    intended: version('intended', options('intended')),
  };
}

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const rest = [...items];
  return items.flatMap(() => rest.splice(random.pick(rest.length), 1));
}

/** A value as JSON, with random order of properties, white space and escapes. */
function messyJson(value: unknown, random: Random): string {
  const space = () => ['', '', ' ', '\n', '\r\n\t'][random.pick(5)] ?? '';
  const spaced = (text: string) => space() + text + space();
  if (Array.isArray(value)) return spaced(`[${value.map((item) => messyJson(item, random)).join(',')}]`);
  if (typeof value === 'string') return spaced(`"${escapedText(value, random.pick(8))}"`);
  if (typeof value !== 'object' || value === null) return spaced(JSON.stringify(value));
  const members = shuffled(Object.entries(value), random).map(
    ([name, inner]) => `${messyJson(name, random)}:${messyJson(inner, random)}`,
  );
  return spaced(`{${members.join(',')}}`);
}

/** @param manner 0 escapes every unit, 1 every slash; others escape only what JSON requires */
function escapedText(text: string, manner: number): string {
  if (manner === 0)
    return text.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const json = JSON.stringify(text).slice(1, -1);
  return manner === 1 ? json.replaceAll('/', '\\/') : json;
}
