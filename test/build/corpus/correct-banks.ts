import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ChangedBank, edit } from './broken-bank.ts';

/** Correct content that a rule could mistake for wrong. */
export const correctBanks: readonly ChangedBank[] = [
  {
    title: 'topics of a subject that exam.json lists, in a bank with other subjects',
    edits: [
      edit(
        'neet',
        '"biology"]\n',
        '"biology"],\n  "topics": { "physics": ["Work and Energy", "Current Electricity", "Temperature", "Atoms"] }\n',
      ),
    ],
  },
  {
    title: 'Markdown files and hidden files beside the content',
    make: async (dir) => {
      await mkdir(join(dir, 'neet/2024/notes'));
      for (const path of [
        'README.md',
        'neet/CHANGES.MD',
        'neet/2024/notes/to-do.md',
        'neet/2024/2024-05-05-s1/README.md',
        'neet/2024/2024-05-05-s1/diagrams/README.md',
        'neet/2024/2024-05-05-s1/.physics.json.swp',
        '.editorconfig',
      ])
        await writeFile(join(dir, path), 'To do');
    },
  },
  {
    title: 'the same question text in two papers, with other options',
    edits: [
      edit(
        'laterBiology',
        'In a cross of two plants that are $Tt$, what share of the offspring is $tt$?',
        'Which part of a plant cell holds chlorophyll?',
      ),
      edit('laterBiology', '"$\\\\frac{1}{4}$"', '"Chloroplast"'),
    ],
  },
  {
    title: 'ids with another name for the subject than its file',
    edits: ['01', '02', '03', '04'].flatMap((number) =>
      number === '02'
        ? []
        : [edit('physics', `"neet-2024-05-05-s1-physics-${number}"`, `"neet-2024-05-05-s1-phy-0${number}"`)],
    ),
  },
  {
    title: 'ids that name no place',
    edits: [
      edit('biology', '"neet-2024-05-05-s1-biology-01"', '"Q1"'),
      edit('biology', '"neet-2024-05-05-s1-biology-02"', '"Q2"'),
    ],
  },
  {
    title: 'ids with sections',
    edits: ['01', '03', '04'].map((number, index) =>
      edit(
        'physics',
        `"neet-2024-05-05-s1-physics-${number}"`,
        `"neet-2024-05-05-s1-physics-${'ABC'[index]}-${number}"`,
      ),
    ),
  },
  {
    title: 'ids of an exam that was renamed since',
    edits: ['01', '02'].map((number) =>
      edit('biology', `"neet-2024-05-05-s1-biology-${number}"`, `"aipmt-2024-05-05-s1-biology-${number}"`),
    ),
  },
  {
    title: 'East Asian punctuation between formulas and in them',
    edits: [
      edit('physics', 'Schrödinger’s equation describes', '元素 $W、X$ 和 $Y$，则（ $）$：'),
      edit('physics', '"a wave"', '"$a=1，b=2。$"'),
    ],
  },
  {
    title: 'the keys P to S, as in questions with two columns',
    edits: [
      ...['A', 'B', 'C', 'D'].map((key, index) =>
        edit(
          'physics',
          `"key": "${key}", "value": "${index + 1} A"`,
          `"key": "${'PQRS'[index]}", "value": "${index + 1} A"`,
        ),
      ),
      edit('physics', '"answer": "B"', '"answer": "Q"'),
    ],
  },
  {
    title: 'dollar signs of prices, and numbers with units in formulas',
    edits: [
      edit('biology', 'chlorophyll?', 'chlorophyll? It costs \\\\$5 per day and \\\\$7 on the weekend.'),
      edit('biology', '"Nucleus"', '"$3 + x$ per day and $2 mg$"'),
    ],
  },
  {
    title: 'an exception by the id of a question, with another question before it',
    edits: [
      edit(
        'exceptions',
        '"file": "neet/2025/2025-05-04-s1/biology.json",\n      "pointer": "/questions/0/question"',
        '"question": "neet-2025-05-04-s1-biology-01"',
      ),
      edit(
        'laterBiology',
        '"questions": [\n',
        `"questions": [
    {
      "id": "neet-2025-05-04-s1-biology-03",
      "type": "numerical",
      "question": "How many chambers does a human heart have?",
      "options": [],
      "answer": "4",
      "topic": "Circulation",
      "difficulty": "easy"
    },\n`,
      ),
    ],
  },
  {
    title: 'an exception for the files of a folder that match a pattern',
    edits: [
      edit(
        'exceptions',
        '"neet/2025/2025-05-04-s1/biology.json",\n      "pointer": "/questions/0/question"',
        '"neet/2025/**/bio*.json"',
      ),
    ],
  },
  {
    title: 'significant figures, figures of speech and of geometry',
    edits: [
      edit('biology', 'Which part of a plant cell', 'To three significant figures, which part of a cell'),
      edit('biology', 'Which of these carries', 'Figure out by a figure of speech which of these carries'),
      edit('laterBiology', 'In a cross', 'Find the area of the figure. In a cross'),
      edit('biology', 'in human blood?', 'in human blood? एक चित्रकार ने मानचित्र बनाया।'),
      edit('laterBiology', 'in human blood?', 'in blood? The graph of $y = x^2$ is on the sales figures.'),
      edit(
        'exceptions',
        '    {\n      "rule": "repeated-stem",\n      "file": "neet/2025/2025-05-04-s1/biology.json",\n      "pointer": "/questions/0/question",\n      "reason": "The exam body asked it in both years."\n    }\n',
        '',
      ),
    ],
  },
  {
    title: 'ids in capitals with underscores',
    edits: ['01', '02'].map((number) =>
      edit('biology', `"neet-2024-05-05-s1-biology-${number}"`, `"NEET_2024_BIO_${number}"`),
    ),
  },
  {
    title: 'ids that begin with the name of another exam',
    edits: ['01', '02'].map((number) =>
      edit('biology', `"neet-2024-05-05-s1-biology-${number}"`, `"jeemain-bio-${number}"`),
    ),
  },
  {
    title: 'alternative text in Hindi with the word for a figure',
    edits: [
      edit(
        'physics',
        'A battery of 12 volts, and in series with it a resistor of 4 ohms and a lamp of 2 ohms.',
        '12 V की बैटरी और श्रेणी में एक लैंप का चित्र',
      ),
    ],
  },
  {
    title: 'currency signs in texts of formulas, and between formulas',
    edits: [edit('physics', '"3 A"', '"$\\\\text{₹}3$ or ₦4"')],
  },
  {
    title: 'a graph and a circuit that are described in words',
    edits: [
      edit(
        'biology',
        'Which part of a plant cell',
        'For the graph $y = x^2$ and a series circuit, which part of a cell',
      ),
    ],
  },
  {
    title: 'two shifts of a day with papers of different subjects',
    make: async (dir) => {
      await mkdir(join(dir, 'jeemain/2025/2025-01-22-s2'));
      const physics = { ...units, id: 'jeemain-2025-01-22-s2-physics-01' };
      await writeFile(join(dir, 'jeemain/2025/2025-01-22-s2/physics.json'), paperOf(physics));
    },
  },
];

const units = {
  ...{ type: 'numerical', question: 'How many metres are a kilometre?', options: [], answer: '1000' },
  ...{ topic: 'Units', difficulty: 'easy' },
};

function paperOf(question: object): string {
  return JSON.stringify({ lastUpdated: '2025-02-01T10:00:00Z', questions: [question] });
}
