import { paperOf, sampleQuestions } from '../bank-folder.ts';
import { accepts, bankOf, type Cases, type Found, rejects } from './rule-case.ts';

const noValue =
  'This is not a JSON value. Put text in double quotes; the only other words are true, false and null.';
const noNumber = 'This is not a JSON number. Write it like 12, -0.5 or 1e3.';
const noEscape = 'In JSON, write a backslash twice (\\\\frac for \\frac).';
const noComma = 'Put a comma between two items.';
const comma = 'Remove the trailing comma.';
const colon = 'Put a colon between a property name and its value.';
const comment = 'JSON has no comments.';
const quotes = 'Put text in straight double quotes.';
const inner = 'The text ends at this quote. Write a quote inside a text as \\".';
const control = 'This control character is not allowed. Write a line break as \\n, a tab as \\t.';
const extra = (bracket: string) =>
  `This ${bracket} does not match the open bracket. Remove it, or close the other one before it.`;

const paper = `{
  "lastUpdated": "2024-06-01T10:00:00Z",
  "questions": [
    {
      "id": "q1",
      "question": "What is $x$?",
      "options": [
        { "key": "A", "value": "1" },
        { "key": "B", "value": "2" }
      ],
      "answer": "A",
      "difficulty": "easy"
    },
    {
      "id": "q2",
      "accepted": ["A", "B"],
      "answer": "B"
    }
  ]
}
`;

/** Replacements in the paper that break its syntax. */
const mistakes: readonly [
  sentence: string,
  right: string,
  wrong: string,
  message: string,
  suggestion?: string,
][] = [
  ['a comma after the last property', '"easy"\n', '"easy"⟦,⟧\n', comma, ''],
  [
    'a missing comma at the end of a line',
    '"q1",\n      "question"',
    '"q1"\n      ⟦"question"⟧',
    noComma,
  ],
  ['a missing comma between objects', '},\n    {', '}\n    ⟦{⟧', noComma],
  ['two commas', '"q1",', '"q1",⟦,⟧', 'Remove the extra comma.', ''],
  ['a semicolon', '"q1",', '"q1"⟦;⟧', 'Separate items with commas.', ','],
  ['a missing colon', '"answer": "A"', '"answer" ⟦"A"⟧', colon],
  ['an equals sign', '"answer": "A"', '"answer" ⟦=⟧ "A"', colon, ':'],
  ['a missing value', '"answer": "A",', '"answer": ⟦,⟧', 'A value is missing here.'],
  ['an extra brace', '"easy"\n    },', '"easy"\n    }⟦}⟧,', extra('}')],
  [
    'a missing closing quote',
    '"What is $x$?",',
    '⟦"What is $x$?,⟧',
    'A closing " is missing on this line.',
  ],
  ['a missing opening quote', '"What is', '⟦What⟧ is', noValue],
  ['quotes inside a text', 'What is $x$?', 'What is ⟦"⟧x" here?', inner, '\\"'],
  ['a tab inside a text', '$x$', '$⟦\t⟧x$', control],
  ['single quotes', '"easy"', "⟦'easy'⟧", quotes, '"easy"'],
  ['typographic quotes', '"easy"', '⟦“easy”⟧', quotes, '"easy"'],
  ['a name without quotes', '"difficulty":', '⟦difficulty⟧:', noValue],
  ["Python's None", '"easy"', '⟦None⟧', noValue],
  ['a number with a leading zero', '"easy"', '⟦05⟧', noNumber],
  ['a number that ends in a dot', '"easy"', '⟦5.⟧', 'This number is incomplete.'],
  ['a comment', '"easy"\n', '"easy" ⟦// for now⟧\n', comment],
  ['a comment with #', '"easy"\n', '"easy" ⟦#⟧ for now\n', comment],
  ['an unescaped backslash', '$x$', '$⟦\\sqrt⟧{x} + \\\\alpha$', noEscape, '\\\\sqrt'],
  ['an unescaped backslash before u', '$x$', '$⟦\\upsilon⟧$', noEscape, '\\\\upsilon'],
  ['an incomplete escape', '$x$', '⟦\\u12⟧', 'A \\u escape takes four hex digits.'],
  [
    'a merge conflict',
    '      "answer": "A",\n',
    '⟦<<<<<<< HEAD\n      "answer": "A",\n=======\n      "answer": "B",\n>>>>>>> other⟧\n',
    'This is an unresolved merge conflict. Keep one of the two versions, and remove the conflict markers.',
  ],
  [
    'text after the end of the value',
    '\n}\n',
    '\n}\n⟦{⟧}\n',
    'The file should end here. Remove what follows.',
  ],
];

/** A file whose marked places have these problems, each a message and a suggestion. */
function rejectsFile(
  what: string,
  file: string,
  ...problems: readonly (readonly [message: string, suggestion?: string | undefined])[]
) {
  const found = problems.map(
    ([message, suggestion]): Found => ({
      message,
      ...(suggestion !== undefined && { suggestion }),
    }),
  );
  return rejects(what, bankOf(file), ...found);
}

const valid = paperOf(sampleQuestions.mcq);

export const syntaxCases: Cases = {
  syntax: [
    accepts('JSON in any formatting', bankOf(JSON.stringify(valid))),
    accepts(
      'CRLF line endings',
      bankOf(JSON.stringify(valid, undefined, 2).replaceAll('\n', '\r\n')),
    ),
    ...mistakes.map(([what, right, wrong, message, suggestion]) =>
      rejectsFile(
        what,
        paper.replace(right, () => wrong),
        [message, suggestion],
      ),
    ),
    rejectsFile(
      'several unescaped backslashes',
      paper.replace('$x$', '$⟦\\sqrt⟧{x} + ⟦\\alpha⟧$').replace('"1"', '"⟦\\\'⟧a⟦\\\'⟧"'),
      ...['\\\\sqrt', '\\\\alpha', "\\\\'", "\\\\'"].map((right) => [noEscape, right] as const),
    ),
    rejectsFile('a missing brace', paper.replace('"easy"\n    },\n    {', '"easy",\n    ⟦{⟧'), [
      'A property name in double quotes is missing here.',
    ]),
    rejectsFile('a truncated file', '{\n"a": [1\n⟦⟧', ['A closing ] is missing.']),
    rejectsFile('a file that is truncated inside a string', '[⟦"a⟧', [
      'A closing " is missing on this line.',
    ]),
    rejectsFile('an empty file', '⟦⟧', ['A value is missing here.']),
    rejectsFile('100,000 open brackets', `⟦⟧${'['.repeat(100_000)}`, ['This is not valid JSON.']),
    rejectsFile(
      'each of several errors',
      `{
  "lastUpdated": "2024-06-01T10:00:00Z"
  ⟦"questions"⟧: [
    {
      "id": "q1",
      "question": "Half is $⟦\\sqrt⟧{0.25}$",
      "options": [1, 2⟦,⟧],
      "answer" ⟦"A"⟧,
      "topic": "Units⟦\t⟧and more"
    }
  ]
}
`,
      ...([[noComma], [noEscape, '\\\\sqrt'], [comma, ''], [colon], [control]] as const),
    ),
    rejectsFile('an error in a file with CRLF line endings', '{\r\n  "a": 1\r\n  ⟦"b"⟧: 2\r\n}', [
      noComma,
    ]),
    rejectsFile(
      'an error after characters of two UTF-16 units, which editors count',
      '["é", "🎓" ⟦7⟧]',
      [noComma],
    ),
  ],
};
