import type { Question, SubjectFile, TranslationFile } from '../../../build/content/types.ts';
import { type BankFolder, makeBank, paperOf, paperPath, sampleQuestions, shiftPath } from '../../build/bank-folder.ts';
import { png } from '../../build/image-bytes.ts';

/** The path of the page of the long paper. */
export const paperPage = '/neet/2024/2024-05-05-s1/physics';

/** More questions than fit into a window. */
const questionCount = 30;

const { mcq, msq, numerical } = sampleQuestions;

const wideFormula = '$$\\underbrace{a+b+c+d+e+f+g+h+i+j+k+l+m+n+o+p+q+r+s+t}_{\\text{more than a phone is wide}}$$';

/** Questions with every feature, then many similar ones. */
export const questions: readonly Question[] = [
  {
    ...mcq,
    question: 'What is $\\sqrt{x^2}$?\nLet $x < 0$, and 5 \\$ > 4 \\$.',
    options: [
      { key: 'A', value: '$-x$' },
      { key: 'B', value: '$x$' },
      { key: 'C', value: '$\\frac{1}{x}$' },
    ],
    accepted: ['A', 'C'],
    diagrams: [{ file: 'q1.png', alt: 'A parabola that opens upwards.' }],
  },
  { ...msq, id: 'q2', dropped: true },
  { ...numerical, id: 'q3', question: `How much is\n${wideFormula}\nthen?`, accepted: ['2.25', '2.26'] },
  ...Array.from({ length: questionCount - 3 }, (_, index) => ({
    ...mcq,
    id: `q${index + 4}`,
    question: `How long is it for $n = ${index + 4}$?`,
  })),
];

/** The path of the page of the paper with everything that papers print. */
export const printedPage = '/neet/2024/2024-05-05-s1/chemistry';

/** A drawing of axes and a curve. @param curve path data of SVG, from 15 to 115 and from 65 to 5 */
function graph(curve: string): string {
  const path = (data: string, width: number) =>
    `<path d="${data}" fill="none" stroke="#000000" stroke-width="${width}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="70" viewBox="0 0 120 70">${path('M15 5V65H115', 1)}${path(curve, 2)}</svg>`;
}

const graphs = {
  'c3-a.svg': graph('M20 60L110 10'),
  'c3-b.svg': graph('M22 8C28 48 60 56 112 60'),
  'c3-c.svg': graph('M20 30H110'),
  'c3-d.svg': graph('M20 10L110 60'),
};

const curves = ['A rising line.', 'A falling curve.', 'A level line.', 'A falling line.'];

/** Section B of a paper with a passage, tables, lists, labels, option diagrams, marks and solutions. */
const printed: SubjectFile = {
  lastUpdated: '2024-06-01T10:00:00Z',
  marking: { correct: 4, incorrect: -1 },
  passages: [
    {
      id: 'p1',
      text: 'Four gases are in equal vessels at the **same** temperature and pressure.\n\n| Gas | Molar mass in $\\pu{g/mol}$ |\n|---|--:|\n| $\\ce{H2}$ | 2 |\n| $\\ce{CH4}$ | 16 |\n| $\\ce{O2}$ | 32 |\n| $\\ce{SO2}$ | 64 |',
    },
  ],
  questions: [
    {
      ...{ id: 'c1', number: '46', section: 'Section B', passage: 'p1', type: 'mcq' },
      question: 'Which gas diffuses *slowest* through a small hole?',
      options: ['H2', 'CH4', 'O2', 'SO2'].map((gas, index) => ({
        ...{ key: 'ABCD'.charAt(index), label: `(${index + 1})`, value: `$\\ce{${gas}}$` },
      })),
      answer: 'D',
      solution:
        'The rate of diffusion is $r \\propto \\frac{1}{\\sqrt{M}}$, so the gas with the largest molar mass is slowest.',
    },
    {
      ...{ id: 'c2', number: '47', section: 'Section B', passage: 'p1', type: 'numerical' },
      question: 'How many times as fast as oxygen does methane diffuse? Round to two decimal places.',
      options: [],
      answer: '1.41',
      answerRange: { min: '1.4', max: '1.42' },
      solution: '$$\\frac{r_1}{r_2} = \\sqrt{\\frac{32}{16}} = \\sqrt{2} \\approx 1.41$$',
    },
    {
      ...{ id: 'c3', number: '48', section: 'Section B', type: 'mcq' },
      question: 'Which graph shows the pressure of an ideal gas against its volume at constant temperature?',
      options: Object.keys(graphs).map((file, index) => ({
        ...{ key: 'ABCD'.charAt(index), label: `(${index + 1})` },
        diagram: { file, alt: curves[index] ?? '' },
      })),
      ...{ answer: 'B', topic: 'Gases', difficulty: 'medium' },
      solution: 'By Boyle’s law, $pV$ is constant: the curve is a hyperbola.',
    },
    {
      ...{ id: 'c4', number: '49', section: 'Section B', type: 'msq', answer: 'A,C', topic: 'Gases' },
      question:
        'Two statements are given:\n\n1. All collisions are elastic.\n2. The molecules attract each other.\n\nWhich of these are true of an ideal gas?',
      options: [
        { key: 'A', label: '(1)', value: 'Statement 1 is right.' },
        { key: 'B', label: '(2)', value: 'Statement 2 is right.' },
        { key: 'C', label: '(3)', value: 'Its energy depends on $T$ alone.' },
      ],
      marking: { correct: 4, incorrect: -2, partial: 1 },
      solution:
        'An ideal gas has\n\n- no forces between molecules, and\n- the energy $\\frac{3}{2}nRT$, if it is monatomic.',
    },
  ],
};

/** Its translation into Hindi. */
const translated: TranslationFile = {
  lastUpdated: '2024-06-01T10:00:00Z',
  passages: [
    {
      id: 'p1',
      text: 'चार गैसें **समान** ताप और दाब पर बराबर पात्रों में हैं।\n\n| गैस | मोलर द्रव्यमान $\\pu{g/mol}$ में |\n|---|--:|\n| $\\ce{H2}$ | 2 |\n| $\\ce{CH4}$ | 16 |\n| $\\ce{O2}$ | 32 |\n| $\\ce{SO2}$ | 64 |',
    },
  ],
  questions: [
    {
      id: 'c1',
      question: 'छोटे छिद्र से कौन-सी गैस *सबसे धीरे* विसरित होती है?',
      options: ['H2', 'CH4', 'O2', 'SO2'].map((gas, index) => ({
        ...{ key: 'ABCD'.charAt(index), value: `$\\ce{${gas}}$` },
      })),
      solution: 'विसरण की दर $r \\propto \\frac{1}{\\sqrt{M}}$ है, इसलिए सबसे अधिक मोलर द्रव्यमान वाली गैस सबसे धीमी है।',
    },
    {
      id: 'c2',
      question: 'मीथेन ऑक्सीजन से कितने गुना तेज़ विसरित होती है? दशमलव के दो स्थानों तक उत्तर दें।',
      solution: '$$\\frac{r_1}{r_2} = \\sqrt{\\frac{32}{16}} = \\sqrt{2} \\approx 1.41$$',
    },
    {
      id: 'c3',
      question: 'स्थिर ताप पर आदर्श गैस के दाब और आयतन का सही ग्राफ़ कौन-सा है?',
      options: Object.keys(graphs).map((file, index) => ({
        key: 'ABCD'.charAt(index),
        diagram: { file, alt: ['चढ़ती रेखा।', 'गिरता वक्र।', 'समतल रेखा।', 'गिरती रेखा।'][index] ?? '' },
      })),
      solution: 'बॉयल के नियम से $pV$ स्थिर है: वक्र अतिपरवलय है।',
    },
    {
      id: 'c4',
      question: 'दो कथन दिए गए हैं:\n\n1. सभी टक्करें प्रत्यास्थ हैं।\n2. अणु एक-दूसरे को आकर्षित करते हैं।\n\nआदर्श गैस के लिए क्या सत्य है?',
      options: [
        { key: 'A', value: 'कथन 1 सही है।' },
        { key: 'B', value: 'कथन 2 सही है।' },
        { key: 'C', value: 'इसकी ऊर्जा केवल $T$ पर निर्भर है।' },
      ],
      solution: 'आदर्श गैस में\n\n- अणुओं के बीच बल नहीं होते, और\n- एकपरमाणुक होने पर ऊर्जा $\\frac{3}{2}nRT$ है।',
    },
  ],
};

/** A bank with a long, valid paper, and in the same shift a paper with everything that papers print, and its translation. */
export function makePreviewBank(of = questions): Promise<BankFolder> {
  return makeBank({
    [paperPath]: paperOf(...of),
    [`${shiftPath}/chemistry.json`]: printed,
    [`${shiftPath}/chemistry.hi.json`]: translated,
    ...Object.fromEntries(Object.entries(graphs).map(([file, text]) => [`${shiftPath}/diagrams/${file}`, text])),
    [`${shiftPath}/diagrams/q1.png`]: png(320, 200),
  });
}
