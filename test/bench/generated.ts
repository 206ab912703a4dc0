/** Generates banks and releases of any size. The same numbers give the same questions. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Question } from '../../build/content/written.ts';
import { switchTo, writeRelease } from '../gateway/release/write-release.ts';
import { runNode } from './processes.ts';

/** As in real shifts: three papers of 45 questions. */
const subjects = ['physics', 'chemistry', 'mathematics'];
const papersPerShift = subjects.length;
const usualQuestions = 45;
const daysPerYear = 100;
const shiftsPerExam = 100 * daysPerYear;

function shiftOf(number: number): {
  readonly exam: string;
  readonly year: string;
  readonly name: string;
} {
  const [exam, ofExam] = [Math.floor(number / shiftsPerExam), number % shiftsPerExam];
  const [year, day] = [2000 + Math.floor(ofExam / daysPerYear), ofExam % daysPerYear];
  const date = new Date(Date.UTC(year, 0, 1 + day)).toISOString().slice(0, 10);
  return { exam: `jeemain${exam === 0 ? '' : exam + 1}`, year: String(year), name: `${date}-s1` };
}

/** The path of a paper in a bank and a release. */
export function paperPath(paper: number): string {
  const { exam, year, name } = shiftOf(Math.floor(paper / papersPerShift));
  return `${exam}/${year}/${name}/${subjects[paper % papersPerShift]}.json`;
}

/** The questions of a paper: each of one of three types, with unique numbers; every other formula is a repeated one. */
function questionsOf(paper: number, count: number): Question[] {
  const { exam, name } = shiftOf(Math.floor(paper / papersPerShift));
  const start = `${exam}-${name}-${subjects[paper % papersPerShift]}`;
  return Array.from({ length: count }, (_, index) =>
    questionOf(`${start}-${String(index + 1).padStart(2, '0')}`, paper * count + index),
  );
}

function questionOf(id: string, number: number): Question {
  const [mass, angle] = [(number % 97) + 1, (number % 60) + 15];
  const base = { id, topic: 'Laws of Motion', difficulty: 'medium' } as const;
  const stem = `Case ${number}. A block of mass $${mass}\\,\\mathrm{kg}$ rests on a plane inclined at $${angle}^\\circ$ to the horizontal, where the coefficient of friction is $\\mu = \\frac{1}{\\sqrt{3}}$. A force $F_{${number}}$ along the plane moves it up with the acceleration $a = ${number % 13}\\,\\mathrm{m\\,s^{-2}}$.`;
  if (number % 5 === 4) {
    const question = `${stem} What is the ratio of the force to the weight, rounded to two places?`;
    return {
      ...base,
      type: 'numerical',
      question,
      options: [],
      answer: ((number % 300) / 100).toFixed(2),
    };
  }
  const options = ['A', 'B', 'C', 'D'].map((key, index) => ({
    key,
    value: `$${number * 4 + index}\\,\\mathrm{N}$, and it points up the plane`,
  }));
  return number % 5 === 3
    ? {
        ...base,
        type: 'msq',
        question: `${stem} Which of these are possible?`,
        options,
        answer: 'A,C',
      }
    : { ...base, type: 'mcq', question: `${stem} What is the force?`, options, answer: 'B' };
}

/** Writes a bank of valid questions. @returns its size */
export async function writeLargeBank(
  folder: string,
  questions: number,
  questionsPerPaper = usualQuestions,
) {
  const papers = Math.ceil(questions / questionsPerPaper);
  const exams = Math.ceil(papers / (shiftsPerExam * papersPerShift));
  let bytes = 0;
  const write = async (path: string, content: object) => {
    const text = `${JSON.stringify(content, undefined, 2)}\n`;
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
    bytes += Buffer.byteLength(text);
  };
  for (let number = 0; number < exams; number += 1) {
    const label = `JEE Main ${number + 1}`;
    await write(`${shiftOf(number * shiftsPerExam).exam}/exam.json`, { label, subjects });
  }
  for (let paper = 0; paper < papers; paper += 1) {
    const questions = questionsOf(paper, questionsPerPaper);
    await write(paperPath(paper), { lastUpdated: '2024-06-01T10:00:00Z', questions });
  }
  return { questions: papers * questionsPerPaper, papers, files: papers + exams, bytes };
}

/** Changes one question of the first paper. @param round another number gives another question */
export async function changeOneQuestion(folder: string, round: number): Promise<void> {
  const file = join(folder, paperPath(0));
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace(/"topic": "[^"]*"/, `"topic": "Topic ${round}"`));
}

/** Builds a bank. */
export function buildBank(content: string, dist: string, data: string) {
  const settings = { CONTENT_DIR: content, DIST_DIR: dist, DATA_DIR: data };
  return runNode(['build/pastpaper.js', 'build'], settings);
}

/**
 * Writes one question file: as a release in `dist` of a folder, and in `files` for other servers.
 *
 * @returns its size in bytes, uncompressed and as gzip
 */
export async function writeQuestions(folder: string) {
  const [path, questions] = [paperPath(0), questionsOf(0, usualQuestions)];
  const identity = Buffer.from(JSON.stringify({ path, total: questions.length, questions }));
  const variants = { identity, br: brotliCompressSync(identity), gzip: gzipSync(identity) };
  const mediaType = 'application/json; charset=utf-8';
  const { exam, year, name } = shiftOf(0);
  await writeRelease(
    join(folder, 'dist'),
    'bench',
    [{ access: 'protected', path, mediaType, ...variants }],
    { [exam]: { [year]: { s1: name, [name]: name } } },
  );
  await switchTo(join(folder, 'dist'), 'bench');
  const file = join(folder, 'files', path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, identity);
  await writeFile(`${file}.gz`, variants.gzip);
  return { plain: identity.length, gzip: variants.gzip.length };
}
