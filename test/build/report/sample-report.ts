import fc from 'fast-check';
import type { Diagnostic, Location, Report } from '../../../build/check/diagnostic.ts';
import { Source } from '../../../build/content/positions.ts';
import type { RuleDescription } from '../../../build/rules/rule.ts';

/** A subject file without equal lines. */
export const paperText = `{
  "lastUpdated": "2024-06-01T10:00:00Z",
  "questions": [
    {
      "id": "q1",
      "type": "mcq",
      "options": [
        { "key": "A", "value": "metre" },
        { "key": "B", "value": "second" }
      ],
      "answer": "C"
    }
  ]
}
`;
export const paperFile = 'neet/2024/2024-05-05-s1/physics.json';

/** The place of the first occurrence of `part` in a text. */
export function placeIn(text: string, part: string, message = '', file = paperFile): Location {
  const source = new Source(text);
  const start = text.indexOf(part);
  const range = source.range(start, start + part.length);
  return { message, file, ...range, excerpt: source.excerpt(range) };
}

/** A problem in the sample file. */
export function problem(changes: Partial<Diagnostic> = {}): Diagnostic {
  return {
    rule: 'answer-among-options',
    severity: 'error',
    pointer: '/questions/0/answer',
    ...placeIn(paperText, '"C"', '"C" is not the key of an option. The options are A, B.'),
    ...changes,
  };
}

/** A problem in a file without text. */
export const problemWithoutText = problem({
  rule: 'unused-diagram',
  severity: 'warning',
  pointer: '',
  message: 'No question of this shift uses this diagram. Add it to a question, or remove the file.',
  file: 'neet/2024/2024-05-05-s1/diagrams/q5.png',
  ...{ line: 1, column: 1, endLine: 1, endColumn: 1 },
  excerpt: [],
});

/** A problem with every field. */
export const fullProblem = problem({
  suggestion: 'B',
  related: [
    placeIn(paperText, '{ "key": "A", "value": "metre" }', 'This option comes first.'),
    { ...problemWithoutText, message: 'It has a diagram.' },
  ],
});

/** A report of these problems. */
export function reportOf(...diagnostics: readonly Diagnostic[]): Report {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  return {
    diagnostics,
    summary: { files: 29, questions: 168, errors, warnings: diagnostics.length - errors },
  };
}

/** Texts that are difficult for a report format. */
const awkwardTexts: readonly string[] = [
  'two words',
  '100%25',
  'a,b=c:d;e::f]g',
  'line one\nline two\r\nline three\rfour',
  '::error file=x::injected',
  '##[error]injected',
  ']]> &amp; <b attribute="x">\'</b> <!-- -->',
  'bell \u0007 escape \u001b[31mred\u001b[0m nul \u0000 delete \u007f next line \u0085',
  'half \ud83d and \udc00 of a character, no character \uffff \ufffe',
  'right to left \u202egnp.exe\u202c, no width \u200b, \ufeff, \u2028',
  '👨‍👩‍👧 👍🏽 🏴󠁧󠁢󠁥󠁮󠁧󠁿 漢字 e\u0301 क्षि ﷽ 각',
  '$\\frac{a}{b}$ {0} {{1}} [0](1) [a\\](b) `code` ```fence``` _under_ *star*',
  'x'.repeat(5000),
  '字'.repeat(5000),
  ' leading and trailing ',
  '=starts with a sign',
  'tab\tand more',
];

/** A report with each awkward text in every field that can have one. */
export const awkwardReport: Report = reportOf(
  ...awkwardTexts.flatMap((text, index) => {
    const line = `  "${text.replace(/[\r\n]/g, ' ')}": 1`;
    const place = placeIn(
      `{\n${line}\n}\n`,
      line.trim(),
      text,
      `neet/${text.replaceAll('/', '')}.json`,
    );
    const severity = index % 2 === 0 ? 'error' : 'warning';
    return [
      problem({ ...place, severity, pointer: `/${text}`, suggestion: text, related: [place] }),
      problem({ severity, message: text }),
    ];
  }),
);

/** Any character. The unit `binary` of fast-check is the same, and takes a second and a half to prepare. */
export const anyCharacter: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10ffff })
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code));

/** Any text, and often the awkward ones. */
const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(...awkwardTexts),
  fc
    .array(fc.constantFrom(...awkwardTexts, '\ud800', '\t', '\n'), { maxLength: 3 })
    .map((texts) => texts.join('')),
);

/** Any problem in a text, on one line or over several. */
export const anyProblem: fc.Arbitrary<Diagnostic> = fc
  .record({
    text: fc.array(anyText, { minLength: 1, maxLength: 6 }).map((lines) => lines.join('\n')),
    ends: fc.tuple(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
    ),
    message: anyText,
    pointer: anyText.map((text) => (text === '' ? '' : `/${text}`)),
    suggestion: fc.option(anyText, { nil: undefined }),
    severity: fc.constantFrom('error', 'warning'),
  })
  .map(({ text, ends, message, pointer, suggestion, severity }) => {
    const source = new Source(text);
    const [start = 0, end = 0] = ends
      .map((end) => Math.floor(end * text.length))
      .sort((a, b) => a - b);
    const range = source.range(start, end);
    const place = { message, file: paperFile, ...range, excerpt: source.excerpt(range) };
    return problem({
      ...place,
      severity,
      pointer,
      ...(suggestion !== undefined && { suggestion }),
      related: [place],
    });
  });

/** The rules that the sample problems break. */
export const rules: readonly RuleDescription[] = [
  {
    name: 'unused-diagram',
    description: 'Each diagram belongs to a question.',
    severity: 'warning',
    example: {
      wrong: 'diagrams/q5.png, which no question names',
      right: '"diagrams": [{ "file": "q5.png" }]',
    },
  },
  {
    name: 'answer-among-options',
    description: 'The answer is the key of an option.',
    severity: 'error',
    example: { wrong: '"answer": "C" ```', right: '"answer": "B"' },
  },
];
