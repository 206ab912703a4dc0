import { createHash } from 'node:crypto';
import { questionFile } from '../../compile/question-file.ts';
import type { QuestionFile } from '../../compile/resources.ts';
import type { Question } from '../../content/content.ts';
import type { Example } from '../example.ts';

/**
 * Questions that no paper holds: what needs a key is shown by them, since the description and the reference
 * are public.
 */
const drawingFile = 'invented-01-square.svg';

/** The drawing that one of them names. */
const drawing =
  '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="120"><path d="M10 10h100v100H10z"/></svg>';

const questions: readonly Question[] = [
  {
    id: 'invented-01',
    type: 'mcq',
    question: 'Invented for this page: a square has sides of $3\\,\\mathrm{m}$. What is its area?',
    options: [
      { key: 'A', value: '$6\\,\\mathrm{m^2}$' },
      { key: 'B', value: '$9\\,\\mathrm{m^2}$' },
    ],
    answer: 'B',
    topic: 'Invented topic',
    difficulty: 'easy',
    diagrams: [{ file: drawingFile, alt: 'A square.' }],
  },
  {
    id: 'invented-02',
    type: 'numerical',
    question: 'Invented for this page: what is $7 - 9.5$?',
    options: [],
    answer: '-2.5',
    topic: 'Invented topic',
    difficulty: 'medium',
  },
];

/** Invented questions as the answer of an endpoint, made by the build as every other, at the place of a real paper. */
export function inventedAnswer({ year, shift, file }: Example): QuestionFile {
  const [exam = '', calendarYear = ''] = year.split('/');
  const place = { exam, year: calendarYear, shift };
  const paper = {
    ...place,
    subject: file.replace(/\.json$/, ''),
    path: '',
    content: undefined,
    questions: [],
  };
  const image = {
    mediaType: 'image/svg+xml',
    width: 120,
    height: 120,
    sha256: createHash('sha256').update(drawing).digest('hex'),
  };
  return questionFile(
    paper,
    { lastUpdated: '2024-06-01T10:00:00Z', questions },
    new Map([[drawingFile, { ...place, path: '', file: drawingFile, image }]]),
  );
}

/** The name of the drawing, to show where a name belongs. */
export const inventedDrawing = drawingFile;
