import type { SubjectFile, TranslationFile } from '../../build/content/types.ts';
import { examPath, type Files, paperOf, paperPath, sampleQuestions, shiftPath } from './bank-folder.ts';
import { png, svg } from './image-bytes.ts';

const { mcq, msq, numerical } = sampleQuestions;

const physics: SubjectFile = {
  lastUpdated: '2024-06-01T10:00:00Z',
  marking: { correct: 4, incorrect: -1, unanswered: 0 },
  passages: [
    {
      id: 'p1',
      text: 'A *car* starts from rest.\n\n![](p1-car.svg)\n\nIt moves for $5$ s.',
      diagrams: [{ file: 'p1-car.svg', alt: 'A car on a straight road' }],
    },
    { id: 'p2', text: 'Light falls on a **prism**.' },
  ],
  questions: [
    {
      ...mcq,
      id: 'q1',
      number: '1',
      section: 'Section A',
      passage: 'p1',
      options: [
        { key: 'A', label: '(1)', diagram: { file: 'q1-a.png', alt: 'A straight line through the origin' } },
        { key: 'B', label: '(2)', value: 'a parabola', diagram: { file: 'q1-b.svg' } },
      ],
      solution: 'Speed is $v = at$, so:\n\n- **A** is right.\n- **B** is wrong.',
      diagrams: [{ file: 'q1-axes.svg', alt: 'Axes of speed and time' }],
      marking: { correct: 2.5 },
    },
    {
      ...{ id: 'q2', number: 'Q.2 (a)', section: 'Section B', passage: 'p2', type: 'msq' },
      question: 'Which rows of the table are right?\n\n| Row | Ray |\n| --- | --- |\n| 1 | $\\ce{H2O}$ |',
      ...{ options: msq.options, answer: 'A,C', accepted: ['A,C', 'A'] },
      marking: { correct: 4, incorrect: -2, partial: 1 },
    },
    { ...numerical, id: 'q3', passage: 'p1', answerRange: { min: '2.2', max: '2.30' } },
    {
      ...{ id: 'q4', type: 'mcq', question: 'Which one was withdrawn?', dropped: true },
      options: [
        { key: 'A', value: 'the first' },
        { key: 'B', value: 'the second' },
      ],
    },
  ],
};

const hindi: TranslationFile = {
  lastUpdated: '2024-07-01T10:00:00Z',
  passages: [
    {
      id: 'p1',
      text: 'एक *कार* विराम से चलती है।\n\n![](p1-car.svg)\n\nवह $5$ s चलती है।',
      diagrams: [{ file: 'p1-car.svg', alt: 'सीधी सड़क पर एक कार' }],
    },
    { id: 'p2', text: 'प्रकाश एक **प्रिज़्म** पर पड़ता है।'.normalize('NFC') },
  ],
  questions: [
    {
      id: 'q1',
      question: 'इनमें से लंबाई का मात्रक कौन सा है?',
      options: [
        { key: 'A', diagram: { file: 'q1-a.png', alt: 'मूल बिंदु से जाती सीधी रेखा' } },
        { key: 'B', value: 'एक परवलय' },
      ],
      solution: 'चाल $v = at$ है।',
      diagrams: [{ file: 'q1-axes.svg', alt: 'चाल और समय के अक्ष' }],
    },
    {
      id: 'q2',
      question: 'कौन सी पंक्तियाँ सही हैं?\n\n| पंक्ति | किरण |\n| --- | --- |\n| 1 | $\\ce{H2O}$ |',
      options: [
        { key: 'A', value: 'वेग' },
        { key: 'B', value: 'चाल' },
        { key: 'C', value: 'बल' },
      ],
    },
    { id: 'q3', question: '$-1.5$ का वर्ग क्या है?' },
    {
      id: 'q4',
      question: 'कौन सा वापस लिया गया?',
      options: [
        { key: 'A', value: 'पहला' },
        { key: 'B', value: 'दूसरा' },
      ],
    },
  ],
};

/** The translation of the bank with every field. */
export const hindiPath = `${shiftPath}/physics.hi.json`;

/** A bank that uses every field of the format. */
export const everyFieldFiles: Files = {
  [examPath]: { label: 'NEET', subjects: [{ code: 'physics', label: 'Physics (Theory)' }, 'chemistry', 'biology'] },
  [paperPath]: physics,
  [hindiPath]: hindi,
  [`${shiftPath}/chemistry.json`]: paperOf({ ...mcq, id: 'c1', question: 'Which of these is a metal?' }),
  [`${shiftPath}/diagrams/p1-car.svg`]: svg(40, 20),
  [`${shiftPath}/diagrams/q1-a.png`]: png(30, 20),
  [`${shiftPath}/diagrams/q1-b.svg`]: svg(31, 21),
  [`${shiftPath}/diagrams/q1-axes.svg`]: svg(32, 22),
};
