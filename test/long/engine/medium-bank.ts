import type { Question } from '../../../build/content/types.ts';
import { type Files, paperOf, sampleQuestions } from '../../build/bank-folder.ts';
import { svg } from '../../build/image-bytes.ts';

const subjects = ['physics', 'chemistry', 'biology'];

/**
 * Content of two exams and eight years, by default 243 papers: enough to be processed in worker threads, even when a
 * year is removed.
 */
export function mediumBank(shifts = 80): Files {
  const exams: Files = {
    'jeemain/exam.json': { label: 'JEE Main', subjects: ['mathematics'] },
    'neet/exam.json': { label: 'NEET', subjects },
  };
  const papers = Array.from({ length: shifts }, (_, number) => {
    const [year, day] = [2016 + (number % 8), String((number % 28) + 1).padStart(2, '0')];
    const shift = `neet/${year}/${year}-05-${day}-s${Math.floor(number / 28) + 1}`;
    return subjects.map((subject, place) => paperFiles(shift, subject, number * subjects.length + place));
  });
  const other = [1, 2, 3].map((number) =>
    paperFiles(`jeemain/2024/2024-01-27-s${number}`, 'mathematics', 1000 + number),
  );
  return Object.assign({}, exams, ...papers.flat(), ...other);
}

/**
 * A paper of two questions, and its diagrams.
 *
 * @param number makes its questions unique
 */
export function paperFiles(shift: string, subject: string, number: number): Files {
  const questions = [2 * number, 2 * number + 1].map(questionOf);
  const drawings = questions.flatMap(({ diagrams = [] }) => diagrams.map(({ file }) => file));
  return {
    [`${shift}/${subject}.json`]: paperOf(...questions),
    ...Object.fromEntries(
      drawings.map((file) => [`${shift}/diagrams/${file}`, svg(100 + (number % 5000), 50)]),
    ),
  };
}

/** A question; the types alternate, and every seventh has a diagram. */
export function questionOf(number: number): Question {
  const kind = (['mcq', 'msq', 'numerical'] as const)[number % 3] ?? 'mcq';
  const id = `q${number}`;
  return {
    ...sampleQuestions[kind],
    id,
    question: `Case ${number}: what does a pendulum of length $${number}\\,\\mathrm{m}$ show on the moon?`,
    topic: `Topic ${number % 5}`,
    ...(number % 7 === 0 && { diagrams: [{ file: `${id}-drawing.svg`, alt: `Pendulum ${number}.` }] }),
  };
}
