import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ChangedBank, edit } from './broken-bank.ts';

/** Correct content that a rule could mistake for wrong. */
export const correctBanks: readonly ChangedBank[] = [
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
];
