import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Question } from '../../build/content/types.ts';

/** As in real papers: 45 questions, three papers a shift. */
const questionsPerPaper = 45;
const subjects = ['physics', 'chemistry', 'mathematics'];
const daysPerYear = 100;

/**
 * Writes a bank of generated questions, all different and valid. The same number of questions gives the same bytes.
 *
 * @returns the number of questions, files and bytes
 */
export async function writeLargeBank(
  folder: string,
  questions: number,
): Promise<{ readonly questions: number; readonly files: number; readonly bytes: number }> {
  const papers = Math.ceil(questions / questionsPerPaper);
  let bytes = await write(join(folder, 'jeemain/exam.json'), { label: 'JEE Main', subjects });
  for (let paper = 0; paper < papers; paper += 1) {
    const subject = subjects[paper % subjects.length] ?? '';
    const shift = shiftOf(Math.floor(paper / subjects.length));
    const id = `jeemain-${shift}-${subject}`;
    bytes += await write(join(folder, `jeemain/${shift.slice(0, 4)}/${shift}/${subject}.json`), {
      lastUpdated: '2024-06-01T10:00:00Z',
      questions: Array.from({ length: questionsPerPaper }, (_, index) =>
        questionOf(`${id}-${String(index + 1).padStart(2, '0')}`, paper * questionsPerPaper + index),
      ),
    });
  }
  return { questions: papers * questionsPerPaper, files: papers + 1, bytes };
}

function shiftOf(number: number): string {
  const [year, day] = [2000 + Math.floor(number / daysPerYear), number % daysPerYear];
  const date = new Date(Date.UTC(year, 0, 1 + day)).toISOString().slice(0, 10);
  return `${date}-s1`;
}

/** A question of one of three types, with unique numbers; every other formula is a repeated one. */
export function questionOf(id: string, number: number): Question {
  const [mass, angle] = [(number % 97) + 1, (number % 60) + 15];
  const base = { id, topic: 'Laws of Motion', difficulty: 'medium' } as const;
  const stem = `Case ${number}. A block of mass $${mass}\\,\\mathrm{kg}$ rests on a plane inclined at $${angle}^\\circ$ to the horizontal, where the coefficient of friction is $\\mu = \\frac{1}{\\sqrt{3}}$. A force $F_{${number}}$ along the plane moves it up with the acceleration $a = ${number % 13}\\,\\mathrm{m\\,s^{-2}}$.`;
  if (number % 5 === 4) {
    const question = `${stem} What is the ratio of the force to the weight, rounded to two places?`;
    return { ...base, type: 'numerical', question, options: [], answer: ((number % 300) / 100).toFixed(2) };
  }
  const options = ['A', 'B', 'C', 'D'].map((key, index) => ({
    key,
    value: `$${number * 4 + index}\\,\\mathrm{N}$, and it points up the plane`,
  }));
  return number % 5 === 3
    ? { ...base, type: 'msq', question: `${stem} Which of these are possible?`, options, answer: 'A,C' }
    : { ...base, type: 'mcq', question: `${stem} What is the force?`, options, answer: 'B' };
}

async function write(file: string, content: object): Promise<number> {
  const text = `${JSON.stringify(content, undefined, 2)}\n`;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  return Buffer.byteLength(text);
}
