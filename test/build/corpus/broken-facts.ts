import { type BrokenBank, type ChangedBank, type Edit, edit, files } from './broken-bank.ts';

/** Adds properties to a biology question, in front of its type. @param number of the question, from 1 */
export function fact(number: 1 | 2, properties: string): Edit {
  const id = `"id": "neet-2024-05-05-s1-biology-0${number}"`;
  return edit('biology', `${id},`, `${id},\n      ${properties},`);
}

/** Adds properties to the biology paper. */
export function paperFact(properties: string): Edit {
  return edit(
    'biology',
    '"lastUpdated": "2024-06-01T10:00:00Z",',
    `"lastUpdated": "2024-06-01T10:00:00Z",\n  ${properties},`,
  );
}

const passage = '{ "id": "p1", "text": "Haemoglobin is a protein of $4$ chains." }';
const first = { id: 'neet-2024-05-05-s1-biology-01', question: 'रक्त में ऑक्सीजन कौन ले जाता है?' };
const firstOptions = '[{ "key": "A", "value": "हीमोग्लोबिन" }, { "key": "B", "value": "इंसुलिन" }]';
const firstQuestion = `{ "id": "${first.id}", "question": "${first.question}", "options": ${firstOptions} }`;
const secondQuestion =
  '{ "id": "neet-2024-05-05-s1-biology-02", "question": "पर्णहरित कहाँ होता है?", "options": [{ "key": "A", "value": "केंद्रक" }, { "key": "B", "value": "हरितलवक" }] }';

/** Writes a translation of the biology paper. */
export function hindi(questions: string, name = 'biology.hi.json'): Edit {
  const text = `{\n  "lastUpdated": "2024-06-01T10:00:00Z",\n  "questions": ${questions}\n}\n`;
  return { file: files.biology.replace('biology.json', name), right: '', wrong: text };
}

/** Marks the whole file. */
function marked({ file, right, wrong }: Edit): Edit {
  return { file, right, wrong: `⟦${wrong.trim()}⟧` };
}

/** Mistakes in passages, printed facts, marks and translations. */
export const brokenFacts: readonly BrokenBank[] = [
  {
    title: 'a passage that the file does not have',
    rule: 'passage',
    edits: [
      paperFact(`"passages": [${passage}]`),
      fact(1, '"passage": "p1"'),
      fact(2, '"passage": ⟦"haemoglobin"⟧'),
    ],
    pointer: '/questions/1/passage',
    message: 'This file has no passage "haemoglobin". Its passages are p1.',
  },
  {
    title: 'a misspelt passage, which is not reported as unused',
    rule: 'passage',
    edits: [paperFact(`"passages": [${passage}]`), fact(1, '"passage": ⟦"P1"⟧')],
    pointer: '/questions/0/passage',
    message: 'This file has no passage "P1".',
    suggestion: 'p1',
  },
  {
    title: 'two passages with one id',
    rule: 'passage',
    edits: [
      paperFact(`"passages": [{ "id": ⟪"p1"⟫, "text": "One." }, { "id": ⟦"p1"⟧, "text": "Two." }]`),
      fact(1, '"passage": "p1"'),
    ],
    pointer: '/passages/1/id',
    message: 'Two passages have the id "p1". Give every passage its own id.',
    related: 1,
  },
  {
    title: 'a section that searches do not find',
    rule: 'nfc',
    edits: [fact(1, '"section": "Secti⟦o\u0302⟧n"')],
    pointer: '/questions/0/section',
    message: 'This looks right but is stored in a form that searches do not find.',
    suggestion: 'ô',
  },
  {
    title: 'an invisible character in a printed number',
    rule: 'invisible-characters',
    edits: [fact(1, '"number": "1⟦\u200b⟧2"')],
    pointer: '/questions/0/number',
    message: 'U+200B is invisible here. Remove it.',
  },
  {
    title: 'an invisible character in a printed label',
    rule: 'invisible-characters',
    edits: [
      edit('biology', '{ "key": "A",', '{ "key": "A", "label": "(⟦\u200b⟧1)",'),
      edit('biology', '{ "key": "B",', '{ "key": "B", "label": "(2)",'),
    ],
    pointer: '/questions/0/options/0/label',
    message: 'U+200B is invisible here. Remove it.',
  },
  {
    title: 'a display name of a subject in the wrong encoding',
    rule: 'mojibake',
    edits: [edit('neet', '"biology"', '{ "code": "biology", "label": "Biolog⟦Ã©⟧" }')],
    pointer: '/subjects/2/label',
    message:
      'These characters are garbled, because a program opened the text in the wrong encoding. Type them again.',
    suggestion: 'é',
  },
  {
    title: 'a subject that is listed with and without a display name',
    rule: 'unique-subjects',
    edits: [edit('neet', '"biology"', '⟪"biology"⟫, ⟦{ "code": "biology", "label": "Biology" }⟧')],
    pointer: '/subjects/3',
    message: '"biology" is listed twice.',
    related: 1,
  },
  {
    title: 'a passage that no question names',
    rule: 'unused-passage',
    severity: 'warning',
    edits: [paperFact(`"passages": [⟦${passage}⟧]`)],
    pointer: '/passages/0',
    message: 'No question of this file uses this passage. Add it to a question, or remove it.',
  },
  {
    title: 'a formula of a passage that KaTeX rejects',
    rule: 'formula',
    edits: [
      paperFact('"passages": [{ "id": "p1", "text": "Of $4\\\\frac{1⟦}⟧$ chains." }]'),
      fact(1, '"passage": "p1"'),
    ],
    pointer: '/passages/0/text',
    message: '',
  },
  {
    title: 'a diagram of a passage whose name does not contain the id of the passage',
    rule: 'diagram-name',
    edits: [
      paperFact(
        '"passages": [{ "id": ⟪"p1"⟫, "text": "See the circuit.", "diagrams": [{ "file": ⟦"neet-2024-05-05-s1-physics-02-circuit.svg"⟧, "alt": "A battery and a lamp." }] }]',
      ),
      fact(1, '"passage": "p1"'),
    ],
    pointer: '/passages/0/diagrams/0/file',
    message: 'The name of this diagram does not contain the id of its passage, p1.',
    related: 1,
  },
  {
    title: 'a diagram of an option that is not in the folder',
    rule: 'diagram-exists',
    edits: [
      edit('biology', '"value": "Insulin"', '"diagram": { "file": ⟦"insulin.png"⟧, "alt": "A protein." }'),
    ],
    pointer: '/questions/0/options/1/diagram/file',
    message: 'The file diagrams/insulin.png does not exist in the folder of the shift.',
  },
  {
    title: 'a diagram without a description',
    rule: 'diagram-alt',
    severity: 'warning',
    edits: [
      edit(
        'mathematics',
        '{\n          "file": "jeemain-2025-01-22-s1-mathematics-02.png",\n          "alt": "A line through the origin with slope one, and the point P at (0, 3.5)."\n        }',
        '⟦{ "file": "jeemain-2025-01-22-s1-mathematics-02.png" }⟧',
      ),
    ],
    pointer: '/questions/1/diagrams/0',
    message: 'The diagram has no description.',
  },
  {
    title: 'an option with neither a text nor a diagram',
    rule: 'schema',
    edits: [edit('biology', '{ "key": "B", "value": "Insulin" }', '⟦{ "key": "B", "label": "(2)" }⟧')],
    pointer: '/questions/0/options/1',
    message: 'The property "value" is missing.',
  },
  {
    title: 'a label that two options have',
    rule: 'option-labels',
    severity: 'warning',
    edits: [
      edit(
        'biology',
        '"key": "A", "value": "Haemoglobin"',
        '"key": "A", "label": ⟪"(1)"⟫, "value": "Haemoglobin"',
      ),
      edit('biology', '"key": "B", "value": "Insulin"', '"key": "B", "label": ⟦"(1)"⟧, "value": "Insulin"'),
    ],
    pointer: '/questions/0/options/1/label',
    message: 'Options A and B have the same label.',
    related: 1,
  },
  {
    title: 'a printed number that two questions have',
    rule: 'printed-number',
    severity: 'warning',
    edits: [fact(1, '"number": ⟪"1"⟫, "section": "A"'), fact(2, '"number": ⟦"1"⟧, "section": "A"')],
    pointer: '/questions/1/number',
    message: 'Two questions of the section "A" have the number 1.',
    related: 1,
  },
  {
    title: 'a printed number without quotation marks',
    rule: 'schema',
    edits: [fact(1, '"number": ⟦1⟧')],
    pointer: '/questions/0/number',
    message: 'Put the number in quotation marks: "1".',
    suggestion: '1',
  },
  {
    title: 'an answer outside its range',
    rule: 'answer-range',
    edits: [
      edit(
        'mathematics',
        '"answer": "2.5",',
        '"answer": ⟦"2.5"⟧,\n      "answerRange": ⟪{ "min": "2.6", "max": "2.7" }⟫,',
      ),
    ],
    pointer: '/questions/1/answer',
    message: 'The answer 2.5 is outside its range, 2.6 to 2.7.',
    related: 1,
  },
  {
    title: 'a range of answers of a question with options',
    rule: 'answer-range',
    edits: [fact(1, '"answerRange": ⟦{ "min": "1", "max": "2" }⟧')],
    pointer: '/questions/0/answerRange',
    message: 'Only numerical questions can have an answer range. Remove it.',
  },
  {
    title: 'marks for a wrong response without the minus sign',
    rule: 'marking',
    edits: [paperFact('"marking": { "correct": 4, "incorrect": ⟦1⟧ }')],
    pointer: '/marking/incorrect',
    message: 'Write the minus sign.',
    suggestion: '-1',
  },
  {
    title: 'partial marks of a question with one right option',
    rule: 'marking',
    edits: [fact(1, '"marking": { "correct": 4, "partial": ⟦1⟧ }')],
    pointer: '/questions/0/marking/partial',
    message: 'Only msq questions can have partial marks. Remove "partial".',
  },
  {
    title: 'marks in quotation marks',
    rule: 'schema',
    edits: [paperFact('"marking": { "correct": ⟦"4"⟧ }')],
    pointer: '/marking/correct',
    message: 'without quotation marks',
  },
  {
    title: 'a missing answer of a question that is not dropped',
    rule: 'schema',
    edits: [
      edit('biology', '      "answer": "A",\n', ''),
      edit(
        'biology',
        '{\n      "id": "neet-2024-05-05-s1-biology-01"',
        '⟦{\n      "id": "neet-2024-05-05-s1-biology-01"',
      ),
      edit('biology', '"difficulty": "easy"\n    }', '"difficulty": "easy"\n    }⟧'),
    ],
    pointer: '/questions/0',
    message: 'The property "answer" is missing.',
  },
  {
    title: 'a translation into no language',
    rule: 'translation-name',
    edits: [marked(hindi(`[${firstQuestion}, ${secondQuestion}]`, 'biology.hindi.json'))],
    pointer: '',
    message: '"hindi" is not a language.',
  },
  {
    title: 'a translation of a paper that does not exist',
    rule: 'translation-name',
    edits: [marked(hindi(`[${firstQuestion}]`, 'botany.hi.json'))],
    pointer: '',
    message: 'There is no botany.json in the folder of this translation.',
  },
  {
    title: 'a question that is not translated',
    rule: 'translation-complete',
    edits: [hindi(`⟦[${firstQuestion}]⟧`)],
    pointer: '/questions',
    message: '1 question is not translated: neet-2024-05-05-s1-biology-02.',
  },
  {
    title: 'a misspelt id in a translation',
    rule: 'translation-complete',
    edits: [
      hindi(
        `[${firstQuestion.replace(`"${first.id}"`, '⟦"neet-2024-05-05-s1-biology-1"⟧')}, ${secondQuestion}]`,
      ),
    ],
    pointer: '/questions/0/id',
    message: 'The original has no question "neet-2024-05-05-s1-biology-1".',
    suggestion: first.id,
  },
  {
    title: 'a translated option with another key',
    rule: 'translation-complete',
    edits: [
      hindi(
        `[${firstQuestion.replace(firstOptions, `⟦${firstOptions.replace('"B"', '"C"')}⟧`)}, ${secondQuestion}]`,
      ),
    ],
    pointer: '/questions/0/options',
    message: 'The options of the original are A, B, in this order.',
  },
  {
    title: 'a solution that is not translated',
    rule: 'translation-complete',
    edits: [fact(1, '"solution": "It binds oxygen."'), hindi(`[⟦${firstQuestion}⟧, ${secondQuestion}]`)],
    pointer: '/questions/0',
    message: 'The solution is not translated.',
  },
  {
    title: 'another number in a translated formula',
    rule: 'translation-formulas',
    edits: [
      edit('biology', 'Which part of a plant cell', 'Which of $3$ parts of a plant cell'),
      hindi(
        `[${firstQuestion}, ${secondQuestion.replace('"पर्णहरित कहाँ होता है?"', '⟦"$4$ में से किसमें पर्णहरित होता है?"⟧')}]`,
      ),
    ],
    pointer: '/questions/1/question',
    message: 'The numbers in the formulas differ. Original: 3. Translation: 4.',
  },
];

/** Facts of real papers. */
export const correctFacts: readonly ChangedBank[] = [
  {
    title: 'a passage of two questions',
    edits: [paperFact(`"passages": [${passage}]`), fact(1, '"passage": "p1"'), fact(2, '"passage": "p1"')],
  },
  {
    title: 'a numbering that starts again in each section',
    edits: [
      fact(1, '"number": "1", "section": "Section A"'),
      fact(2, '"number": "1", "section": "Section B"'),
    ],
  },
  { title: 'numbers with letters', edits: [fact(1, '"number": "Q.3 (a)"'), fact(2, '"number": "Q.3 (b)"')] },
  {
    title: 'a solution with formulas',
    edits: [fact(1, '"solution": "Each molecule binds $4$ of $\\\\ce{O2}$."')],
  },
  {
    title: 'marks of the paper and of a question',
    edits: [
      paperFact('"marking": { "correct": 4, "incorrect": -1, "unanswered": 0 }'),
      fact(2, '"marking": { "correct": 2, "incorrect": -0.66 }'),
    ],
  },
  {
    title: 'a range around an answer',
    edits: [
      edit(
        'mathematics',
        '"answer": "2.5",',
        '"answer": "2.5",\n      "answerRange": { "min": "2.40", "max": "2.5" },',
      ),
    ],
  },
  {
    title: 'a dropped question without an answer',
    edits: [fact(1, '"dropped": true'), edit('biology', '      "answer": "A",\n', '')],
  },
  {
    title: 'questions without topic and difficulty',
    edits: [
      edit(
        'biology',
        '"answer": "A",\n      "topic": "Breathing and Exchange of Gases",\n      "difficulty": "easy"',
        '"answer": "A"',
      ),
    ],
  },
  {
    title: 'an option that is only a diagram, beside one with a text, both with labels',
    edits: [
      edit(
        'physics',
        '{ "key": "A", "value": "1 A" }',
        '{ "key": "A", "label": "(1)", "diagram": { "file": "neet-2024-05-05-s1-physics-02-circuit.svg", "alt": "A battery and a lamp." } }',
      ),
      edit('physics', '"key": "B", "value": "2 A"', '"key": "B", "label": "(2)", "value": "2 A"'),
      edit('physics', '"key": "C", "value": "3 A"', '"key": "C", "label": "(3)", "value": "3 A"'),
      edit('physics', '"key": "D", "value": "4 A"', '"key": "D", "label": "(4)", "value": "4 A"'),
    ],
  },
  {
    title: 'a subject with a display name',
    edits: [edit('neet', '"biology"]', '{ "code": "biology", "label": "Life Sciences" }]')],
  },
  { title: 'a translation in another order', edits: [hindi(`[${secondQuestion}, ${firstQuestion}]`)] },
];
