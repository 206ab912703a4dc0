import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Question } from '../../build/content/types.ts';

/** As in real shifts: three papers. */
const subjects = ['physics', 'chemistry', 'mathematics'];
const daysPerYear = 100;
const shiftsPerExam = 100 * daysPerYear;

/**
 * Writes a bank of generated questions, all different and valid. The same numbers give the same bytes.
 *
 * @param questionsPerPaper by default as in real papers
 * @returns the number of questions, files and bytes
 */
export async function writeLargeBank(
  folder: string,
  questions: number,
  questionsPerPaper = 45,
): Promise<{ readonly questions: number; readonly files: number; readonly bytes: number }> {
  const papers = Math.ceil(questions / questionsPerPaper);
  let bytes = 0;
  let exams = 0;
  for (let paper = 0; paper < papers; paper += 1) {
    const subject = subjects[paper % subjects.length] ?? '';
    const { exam, year, name } = shiftOf(Math.floor(paper / subjects.length));
    if (paper % (shiftsPerExam * subjects.length) === 0) {
      exams += 1;
      bytes += await write(join(folder, exam, 'exam.json'), { label: `JEE Main ${exams}`, subjects });
    }
    bytes += await write(join(folder, exam, year, name, `${subject}.json`), {
      lastUpdated: '2024-06-01T10:00:00Z',
      questions: Array.from({ length: questionsPerPaper }, (_, index) =>
        questionOf(
          `${exam}-${name}-${subject}-${String(index + 1).padStart(2, '0')}`,
          paper * questionsPerPaper + index,
        ),
      ),
    });
  }
  return { questions: papers * questionsPerPaper, files: papers + exams, bytes };
}

/** The path of the first paper. */
export const firstPaper = 'jeemain/2000/2000-01-01-s1/physics.json';

/** Changes one question of the first paper. @param round another number gives another question */
export async function changeOneQuestion(folder: string, round: number): Promise<void> {
  const file = join(folder, firstPaper);
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace(/"topic": "[^"]*"/, `"topic": "Topic ${round}"`));
}

function shiftOf(number: number): { readonly exam: string; readonly year: string; readonly name: string } {
  const [exam, ofExam] = [Math.floor(number / shiftsPerExam), number % shiftsPerExam];
  const [year, day] = [2000 + Math.floor(ofExam / daysPerYear), ofExam % daysPerYear];
  const date = new Date(Date.UTC(year, 0, 1 + day)).toISOString().slice(0, 10);
  return { exam: `jeemain${exam === 0 ? '' : exam + 1}`, year: String(year), name: `${date}-s1` };
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
