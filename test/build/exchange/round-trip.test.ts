import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseText, type TextNode } from '../../../build/content/markdown.ts';
import type { Question, SubjectFile } from '../../../build/content/written.ts';
import { textOf } from '../../../build/exchange/html.ts';
import { importItems } from '../../../build/exchange/item.ts';
import { moodleItems, moodleXml, unknownToMoodle } from '../../../build/exchange/moodle.ts';
import { qtiItems, qtiPackage, unknownToQti } from '../../../build/exchange/qti.ts';
import { exportedQuestions } from '../../../build/exchange/render.ts';
import { openSource, parseHtml, parseXml } from '../../../build/exchange/source.ts';
import { html } from '../../../build/site/html.ts';
import { png } from '../image-bytes.ts';
import { fileOf } from './imported.ts';

const place = { exam: 'school', year: '2026', shift: '2026-01-20-s1', subject: 'science' };

const blocks = [
  ...[
    'Plain words',
    'Signs: 2\\*x\\*3, \\$5, \\`code\\`, C:\\\\d',
    '\\# words',
    '\\- 3 m/s',
    '1\\. words',
    '\\> 5',
  ],
  ...[
    '**Bold** and *italic* words',
    '***both***, $x^2$',
    'a\nline',
    '- a\n- **b**',
    '1. one\n2. two\n   - three',
  ],
  ...[
    '| a | b |\n| --- | --- |\n| $|x|$ | \\| |',
    'so\n$$\\frac{a}{b} < 1$$\nholds',
    'a < b & c > d',
    'H$_2$O, [1\\](2)',
  ],
];
const text = fc.subarray(blocks, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('\n\n'));
const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const letters = ['A', 'B', 'C', 'D'];
const answers = {
  mcq: fc.record({ answer: fc.constantFrom(...letters) }),
  msq: fc.record({ answer: fc.subarray(letters, { minLength: 1 }).map((keys) => keys.join(',')) }),
  numerical: fc.oneof(
    fc.record({
      answer: fc.constantFrom('2.50', '-3', '0'),
      tolerance: optional(fc.constant('0.01')),
    }),
    fc.constant({ answer: '0.7', answerRange: { min: '0.68', max: '0.71' } }),
  ),
  text: fc.record({
    answer: fc.constant('3/4'),
    accepted: optional(fc.constant(['3/4', '0.75*'])),
  }),
};
const question = fc.constantFrom('mcq', 'msq', 'numerical', 'text').chain((type) =>
  fc.record({
    ...{ type: fc.constant(type), answer: answers[type], question: text, solution: optional(text) },
    ...{ hasDiagram: fc.boolean(), topic: optional(fc.constantFrom('Waves', 'Light/Heat')) },
    ...{
      difficulty: optional(fc.constantFrom('easy', 'hard')),
      number: optional(fc.constant('7')),
    },
    marking: optional(fc.constantFrom({ correct: 4, incorrect: -1 }, { correct: 2 })),
  }),
);

/** A paper of generated questions, whose ids are those of an imported one. */
function paperOf(
  generated: readonly (typeof question extends fc.Arbitrary<infer Value> ? Value : never)[],
): SubjectFile {
  const questions = generated.map(({ answer, hasDiagram, ...fields }, index) => {
    const id = `school-2026-01-20-s1-science-0${index + 1}`;
    const options = /^m/.test(fields.type)
      ? letters.map((key) => ({ key, value: `Option ${key}: **${key}**` }))
      : [];
    const diagrams = hasDiagram ? [{ file: `${id}-1.png`, alt: 'A dot' }] : undefined;
    return { id, ...fields, options, ...answer, diagrams };
  });
  return JSON.parse(JSON.stringify({ lastUpdated: '2026-01-21T00:00:00Z', questions }));
}

/** A question without the fields that an export reports. */
function without(question: Question, losses: ReadonlySet<string>) {
  const fields = { ...question, marking: question.marking ?? { correct: 1 } };
  const others: Readonly<Record<string, string>> = {
    marking: 'marks',
    answer: 'answerRange',
    tolerance: 'answerRange',
  };
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([name]) => !losses.has(name) && !losses.has(others[name] ?? name),
    ),
  );
}

const formats = {
  moodle: async (paper: SubjectFile, dot: Uint8Array) => {
    const questions = exportedQuestions(paper, unknownToMoodle);
    return { questions, items: moodleItems(parseXml(moodleXml(questions, () => dot))) };
  },
  qti: async (paper: SubjectFile, dot: Uint8Array) => {
    const questions = exportedQuestions(paper, unknownToQti);
    return {
      questions,
      items: qtiItems(
        openSource(
          await fileOf(
            'a.zip',
            qtiPackage(questions, () => dot),
          ),
        ),
      ),
    };
  },
};

describe('A paper that is exported and imported', () => {
  for (const [name, exported] of Object.entries(formats))
    it(`is the same, except for what the export reports: ${name}`, async () => {
      const run = async (paper: SubjectFile) => {
        const { questions, items } = await exported(paper, png(2, 2));
        const { paper: again } = importItems(items, place, undefined, new Date(paper.lastUpdated));
        const withMarks = again.questions.map((one) => ({
          ...one,
          marking: one.marking ?? again.marking ?? { correct: 1 },
        }));
        for (const [index, { losses }] of questions.entries())
          assert.deepEqual(
            without(withMarks[index] as Question, losses),
            without(paper.questions[index] as Question, losses),
          );
      };
      await fc.assert(
        fc.asyncProperty(fc.array(question, { minLength: 1, maxLength: 5 }).map(paperOf), run),
        {
          numRuns: 40,
        },
      );
    });
});

describe('Words of HTML', () => {
  const wordsIn = (nodes: readonly TextNode[]): string =>
    nodes
      .map((node) => {
        if ('children' in node) return wordsIn(node.children);
        return node.kind === 'formula'
          ? node.formula.tex.replace('\\', '')
          : 'words' in node
            ? node.words
            : ' ';
      })
      .join('');

  it('are the words of the text, whatever signs they have', () => {
    const signs = fc.array(
      fc.constantFrom(...'*_`[](){}<>&#+-.!|~=$\\: a1;"\''.split(''), '<b>', '&lt;', '- ', '1. '),
    );
    const context = {
      image: () => undefined,
      lose: (what: string) => assert.match(what, /^formulas between single dollars/),
    };
    fc.assert(
      fc.property(signs, (words) => {
        const plain = words.join('');
        fc.pre(!/\\[([]|\$\$/.test(plain));
        const written = textOf(parseHtml(html`<p>${plain}</p>`.text), context);
        const { parts, outside } = parseText(written);
        assert.deepEqual([wordsIn(parts), outside], [plain.replace(/\s+/g, ' ').trim(), []]);
      }),
      { numRuns: 500 },
    );
  });
});
