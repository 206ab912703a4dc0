import fc from 'fast-check';
import { diagramsOf } from '../../../build/content/question.ts';

/** A text with mistakes whose correction is certain, and the intended text. */
interface MessyText {
  readonly written: string;
  readonly intended: string;
}

/** An intended file, and one with mistakes whose correction is certain. */
interface MessyFile {
  readonly intended: object;
  readonly written: Uint8Array;
}

/** A paper and its translation. */
export interface MessyBank {
  readonly paper: MessyFile;
  readonly translation: MessyFile;
  /** The diagrams that the written paper names. */
  readonly diagrams: readonly string[];
}

const corrections: Readonly<Record<string, string>> = {
  'a plain word': 'a plain word',
  '$\\frac{a}{b}$': '$\\frac{a}{b}$',
  'cafe\u0301': 'caf\u00e9',
  '\u2126': '\u03a9',
  'a &lt; b': 'a < b',
  'Q &amp; A': 'Q & A',
  '&eacute;': '\u00e9',
  '1&#150;2&#x2013;3': '1–2–3',
  '5&nbsp;kg': '5\u00a0kg',
  '$x &lt; \\pi$': '$x < \\pi$',
  '$2 \times 3 \neq 5$': '$2 \\times 3 \\neq 5$',
  '$\frac{1}{2}\rho$': '$\\frac{1}{2}\\rho$',
  '\\(a + b\\)': '$a + b$',
  '\\[ \\sqrt{2} \\]': '$$\\sqrt{2}$$',
  '$50% + 5\\%$': '$50\\% + 5\\%$',
  '\\(2 \times \\theta\\)': '$2 \\times \\theta$',
  '20\\% of': '20% of',
  '$f’(x)$': "$f'(x)$",
  // A person has to decide.
  '&#36;5': '&#36;5',
  '$5 &amp; 6$': '$5 &amp; 6$',
  'a&zwj;b': 'a&zwj;b',
  '&amp;lt;': '&amp;lt;',
  '&lt;b&gt; bold': '&lt;b> bold',
  '3 \times 4': '3 \times 4',
  '$2 \timesx$': '$2 \timesx$',
};

const messyText: fc.Arbitrary<MessyText> = fc
  .array(fc.constantFrom(...Object.entries(corrections)), { minLength: 1, maxLength: 5 })
  .map((parts) => ({
    written: parts.map(([written]) => written).join(' '),
    intended: parts.map(([, intended]) => intended).join(' '),
  }));

/** Random choices. */
interface Random {
  /** A whole number from 0, below `choices`. */
  readonly pick: (choices: number) => number;
  readonly text: () => MessyText;
}

type Side = keyof MessyText;

/** A bank of one paper with questions of all types. `draw` makes the random choices. */
export function messyBank(draw: fc.GeneratorValue): MessyBank {
  const random: Random = {
    pick: (choices) => draw(fc.nat, { max: choices - 1 }),
    text: () => draw(() => messyText),
  };
  const questions = Array.from({ length: 1 + random.pick(3) }, (_, index) =>
    question(`q${index}`, random),
  );
  const shared = random.text();
  const extension = ['png', 'jpg'][random.pick(2)];
  const passage = (side: Side) => ({
    id: 'p0',
    text: shared[side],
    diagrams: [{ file: `p0.${side === 'written' ? extension : 'png'}`, alt: `${shared[side]} p` }],
  });
  const paper = (side: Side) => ({
    lastUpdated: '2024-06-01T10:00:00Z',
    passages: [passage(side)],
    questions: questions.map((versions) => versions[side]),
  });
  const translation = (side: Side) => ({
    ...paper(side),
    questions: paper(side).questions.map(translated),
  });
  const messyFile = (file: (side: Side) => object) => ({
    intended: file('intended'),
    written: Buffer.from((random.pick(2) ? '\ufeff' : '') + messyJson(file('written'), random)),
  });
  const named = [...questions.map(({ written }) => written), passage('written')];
  return {
    paper: messyFile(paper),
    translation: messyFile(translation),
    diagrams: named.flatMap((owner) => [...diagramsOf(owner)].map(({ file }) => file)),
  };
}

type MessyQuestion = ReturnType<typeof question>[Side];

/** The texts of a question, which are the same in this translation. Its keys must be those of the intended original. */
function translated({ id, question: text, options, solution, diagrams }: MessyQuestion) {
  const keyed = options.map((option) => ({ ...option, key: option.key.toUpperCase() }));
  return { id, question: text, options: keyed, solution, ...(diagrams && { diagrams }) };
}

/** The intended question, and a version with mistakes. */
function question(id: string, random: Random) {
  const type = (['mcq', 'msq', 'numerical'] as const)[random.pick(3)] ?? 'mcq';
  const [text, alt, solution] = [random.text(), random.text(), random.text()];
  const values = Array.from({ length: type === 'numerical' ? 0 : 2 + random.pick(4) }, random.text);
  const answer = {
    mcq: { written: ['B', 'b', ' B', '(B)'], intended: 'B' },
    msq: { written: ['A,B', 'B,A', 'A, B', 'a,b'], intended: 'A,B' },
    numerical: { written: ['-2.5', '−2.5', '-02.5', -2.5], intended: '-2.5' },
  }[type];
  const written = {
    answer: answer.written[random.pick(4)] ?? '',
    difficulty: ['hard', 'Hard', ' HARD'][random.pick(3)],
  };
  const [isDrawn, isLoud] = [random.pick(2), random.pick(4) === 0];
  const extension = ['png', 'jpg', 'PNG'][random.pick(3)];
  const version = (side: Side) => ({
    id,
    type: side === 'written' && isLoud ? type.toUpperCase() : type,
    question: text[side],
    passage: 'p0',
    solution: solution[side],
    options: values.map((value, index) => ({
      key: (side === 'written' && isLoud ? 'abcde' : 'ABCDE').charAt(index),
      value: `${index}: ${value[side]}`,
      ...(isDrawn && {
        diagram: {
          file: `${id}-${index}.${side === 'written' ? extension : 'png'}`,
          alt: alt[side],
        },
      }),
    })),
    ...(side === 'written' ? written : { answer: answer.intended, difficulty: 'hard' }),
    topic: 'Units',
    ...(isDrawn && {
      diagrams: [{ file: `${id}.${side === 'written' ? extension : 'png'}`, alt: alt[side] }],
    }),
  });
  return { written: version('written'), intended: version('intended') };
}

/** A value as JSON, with random white space and escapes. */
function messyJson(value: unknown, random: Random): string {
  const space = () => ['', '', ' ', '\n', '\r\n\t'][random.pick(5)] ?? '';
  const spaced = (text: string) => space() + text + space();
  if (Array.isArray(value))
    return spaced(`[${value.map((item) => messyJson(item, random)).join(',')}]`);
  if (typeof value === 'string') return spaced(`"${escapedText(value, random.pick(8))}"`);
  if (typeof value !== 'object' || value === null) return spaced(JSON.stringify(value));
  const members = Object.entries(value).map(
    ([name, inner]) => `${messyJson(name, random)}:${messyJson(inner, random)}`,
  );
  return spaced(`{${members.join(',')}}`);
}

/** @param manner 0 escapes every unit, 1 every slash; others escape only what JSON requires */
function escapedText(text: string, manner: number): string {
  if (manner === 0)
    return text.replace(
      /[\s\S]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
  const json = JSON.stringify(text).slice(1, -1);
  return manner === 1 ? json.replaceAll('/', '\\/') : json;
}
