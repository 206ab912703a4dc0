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
];
