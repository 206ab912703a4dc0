import fc from 'fast-check';
import type { DiagramReference, ExamFile, Question, SubjectFile } from '../../../build/content/types.ts';

/** A text as a careless hand wrote it, and as it should be. */
interface MessyText {
  readonly written: string;
  readonly meant: string;
}

/** Content that says `meant`, in the files that a careless hand wrote. */
export interface MessyBank {
  readonly meant: Readonly<Record<'exam' | 'paper', object>>;
  readonly files: Readonly<Record<'exam' | 'paper', Uint8Array>>;
}

const mended: Readonly<Record<string, string>> = {
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
  // These stay: more than one thing may be meant.
  '&#36;5': '&#36;5',
  '$5 &amp; 6$': '$5 &amp; 6$',
  'a&zwj;b': 'a&zwj;b',
};

/** In a text with one of these, all entities stay. */
const unclear = ['&amp;lt;', '&lt;b&gt;', '<i>a</i> &lt; b'];

const messyText: fc.Arbitrary<MessyText> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc
      .array(fc.constantFrom(...Object.entries(mended)), { minLength: 1, maxLength: 5 })
      .map((parts) => ({
        written: parts.map(([written]) => written).join(' '),
        meant: parts.map(([, meant]) => meant).join(' '),
      })),
  },
  { weight: 1, arbitrary: fc.constantFrom(...unclear).map((text) => ({ written: text, meant: text })) },
);

/** What a hand that draws by chance does. */
interface Hand {
  /** A whole number from 0, below `choices`. */
  readonly pick: (choices: number) => number;
  readonly text: () => MessyText;
}

type Side = keyof MessyText;

/** A bank of one paper, whose questions are of all types and have all fields; all chance is drawn by `draw`. */
export function messyBank(draw: fc.GeneratorValue): MessyBank {
  const hand: Hand = {
    pick: (choices) => draw(fc.nat, { max: choices - 1 }),
    text: () => draw(() => messyText),
  };
  const label = hand.text();
  const questions = Array.from({ length: 1 + hand.pick(3) }, (_, index) => question(`q${index}`, hand));
  const exam = (side: Side): ExamFile => ({ label: label[side], subjects: ['physics', 'biology'] });
  const paper = (side: Side): SubjectFile => ({
    lastUpdated: '2024-06-01T10:00:00Z',
    questions: questions.map((versions) => versions[side]),
  });
  const file = (content: object) => Buffer.from((hand.pick(2) ? '\ufeff' : '') + scrawl(content, hand));
  return {
    meant: { exam: exam('meant'), paper: paper('meant') },
    files: { exam: file(exam('written')), paper: file(paper('written')) },
  };
}

/** A question as it should be, and the same with its texts as written and its options in any order. */
function question(id: string, hand: Hand): Readonly<Record<Side, Question>> {
  const type = (['mcq', 'msq', 'numerical'] as const)[hand.pick(3)] ?? 'mcq';
  const [text, topic, alt] = [hand.text(), hand.text(), hand.text()];
  const values = Array.from({ length: type === 'numerical' ? 0 : 2 + hand.pick(4) }, hand.text);
  const options = (side: Side) =>
    values.map((value, index) => ({ key: 'ABCDE'.charAt(index), value: value[side] }));
  const answers = { mcq: ['B', 'A'], msq: ['A,B', 'B'], numerical: ['-2.5', '7'] }[type];
  const drawings = (side: Side): DiagramReference[] => [
    { file: `${id}-b.png`, alt: alt[side] },
    { file: `${id}-a.png`, alt: 'Another.' },
  ];
  const [isDrawn, isDropped, isAccepted] = [hand.pick(2), hand.pick(2), hand.pick(2)];
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
    written: version('written', shuffled(options('written'), hand)),
    meant: version('meant', options('meant')),
  };
}

function shuffled<Item>(items: readonly Item[], hand: Hand): Item[] {
  const rest = [...items];
  return items.flatMap(() => rest.splice(hand.pick(rest.length), 1));
}

/** A value as JSON, with properties in any order, white space anywhere and escapes that nobody needs. */
function scrawl(value: unknown, hand: Hand): string {
  const space = () => ['', '', ' ', '\n', '\r\n\t'][hand.pick(5)] ?? '';
  const spaced = (text: string) => space() + text + space();
  if (Array.isArray(value)) return spaced(`[${value.map((item) => scrawl(item, hand)).join(',')}]`);
  if (typeof value === 'string') return spaced(`"${escapedText(value, hand.pick(8))}"`);
  if (typeof value !== 'object' || value === null) return spaced(JSON.stringify(value));
  const members = shuffled(Object.entries(value), hand).map(
    ([name, inner]) => `${scrawl(name, hand)}:${scrawl(inner, hand)}`,
  );
  return spaced(`{${members.join(',')}}`);
}

/** @param manner 0 escapes every unit, 1 every slash; others escape what has to be */
function escapedText(text: string, manner: number): string {
  if (manner === 0)
    return text.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const json = JSON.stringify(text).slice(1, -1);
  return manner === 1 ? json.replaceAll('/', '\\/') : json;
}
