/** New files of a bank: exams, and papers with one question to replace. */
import { existsSync } from 'node:fs';
import { constants, copyFile, link, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { processExam } from '../check/process-shift.ts';
import { UsageError } from '../command-line/command.ts';
import { didYouMean } from '../command-line/nearest.js';
import { maxJsonBytes, readBytes } from '../content/file.ts';
import { type PaperPlace, subjectCodes } from '../content/types.ts';
import type { ExamFile, SubjectFile } from '../content/written.ts';
import { formatJson } from '../fix/json.ts';
import { createFolder, draftName } from '../release/files.ts';
import { isName } from '../release/urls.ts';
import { examProblem, placeholders, shiftProblem } from '../rules/paper.ts';

/** A file to create, inside the content folder. */
export interface NewFile {
  readonly path: string;
  readonly kind: 'exam' | 'paper';
  readonly value: ExamFile | SubjectFile;
}

/** What can be created, and how its place is written. */
export const forms = {
  exam: 'EXAM',
  year: 'EXAM/YEAR',
  shift: 'EXAM/YEAR/SHIFT',
  paper: 'EXAM/YEAR/SHIFT/SUBJECT',
} as const;

/**
 * An exam with its subjects.
 *
 * @param label by default the code in capital letters
 * @throws UsageError for wrong names
 */
export function newExam(
  code: string,
  subjects: readonly string[],
  label = code.toUpperCase(),
): NewFile {
  const problem = examProblem(code);
  if (problem) throw new UsageError(problem);
  if (subjects.length === 0)
    throw new UsageError(
      `Name the subjects of the exam: npx pastpaper new exam ${code} physics chemistry`,
    );
  const invalid = subjects.find((subject) => !isName('subject', subject));
  if (invalid !== undefined)
    throw new UsageError(
      `"${invalid}" is not a valid subject name. Use lower-case letters, digits and hyphens, such as life-sciences.`,
    );
  return {
    path: `${code}/exam.json`,
    kind: 'exam',
    value: { label, subjects: [...new Set(subjects)] },
  };
}

/**
 * The papers of a year, of a shift, or a single one.
 *
 * @param form of the place
 * @param place `<exam>/<year>`, `<exam>/<year>/<shift>` or `<exam>/<year>/<shift>/<subject>`
 * @param names the shifts of a year, with or without the year
 * @throws UsageError for wrong names, and subjects that the exam does not have
 */
export function papersOf(
  contentDir: string,
  form: string,
  place: string,
  names: readonly string[] = [],
): PaperPlace[] {
  const isYear = form === forms.year;
  const parts = place.split('/');
  if (parts.length !== form.split('/').length || (!isYear && names.length > 0))
    throw new UsageError(`Write ${form}, not "${[place, ...names].join(' ')}".`);
  const [exam = '', year = '', shift = '', subject] = parts;
  if (isYear && names.length === 0)
    throw new UsageError(
      `Name the shifts of the year: npx pastpaper new year ${place} 05-04-s1 05-04-s2`,
    );
  const content = readExam(contentDir, exam);
  const { label } = content;
  const subjects = subjectCodes(content);
  if (subject !== undefined && !subjects.includes(subject)) {
    const advice = didYouMean(subject, subjects) || ' Add it to its exam.json first.';
    throw new UsageError(
      `"${subject}" is not a subject of ${label}: ${subjects.join(', ')}.${advice}`,
    );
  }
  const shifts = isYear
    ? names.map((name) => (/^\d\d-\d\d-/.test(name) ? `${year}-${name}` : name))
    : [shift];
  return shifts.flatMap((name) => {
    const problem = shiftProblem({ year, shift: name });
    if (problem) throw new UsageError(problem);
    const ofShift = subject === undefined ? subjects : [subject];
    return ofShift.map((one) => ({ exam, year, shift: name, subject: one }));
  });
}

/** Reads the file of an exam. @throws UsageError when there is none, or it has errors */
export function readExam(contentDir: string, code: string): ExamFile {
  const problem = examProblem(code);
  if (problem) throw new UsageError(problem);
  const path = `${code}/exam.json`;
  const file = join(contentDir, path);
  const { content } = processExam({ kind: 'exam', code, path }, readBytes(file, maxJsonBytes)).exam;
  if (content) return content;
  throw new UsageError(
    existsSync(file)
      ? `${file} has errors. Run npx pastpaper validate.`
      : `There is no ${file}. Create it first: npx pastpaper new exam ${code} SUBJECT...`,
  );
}

/** A paper with one question, which validation rejects until it is written. */
export function newPaper({ exam, year, shift, subject }: PaperPlace, now: Date): NewFile {
  return {
    path: `${exam}/${year}/${shift}/${subject}.json`,
    kind: 'paper',
    value: {
      lastUpdated: now.toISOString().replace(/\.\d+Z$/, 'Z'),
      questions: [
        {
          id: `${exam}-${shift}-${subject}-01`,
          type: 'mcq',
          question: placeholders.question(`${exam} ${shift} ${subject}`),
          options: ['A', 'B', 'C', 'D'].map((key) => ({ key, value: placeholders.option(key) })),
          answer: 'A',
          topic: 'Unclassified',
          difficulty: 'medium',
        },
      ],
    },
  };
}

/** The schemas of this program, relative to the folder of a bank that has installed it. */
const installedSchemas = 'node_modules/pastpaper/content/schema';

/** The text of a file. It names its schema, for editors, if the content folder or an installed package has it. */
export function fileText(contentDir: string, { path, kind, value }: NewFile): string {
  const schema = `${kind === 'exam' ? 'exam' : 'subject-file'}.schema.json`;
  const found = ['schema', `../${installedSchemas}`].find((folder) =>
    existsSync(join(contentDir, folder, schema)),
  );
  const upwards = '../'.repeat(path.split('/').length - 1);
  const named = found !== undefined && { $schema: `${upwards}${found}/${schema}` };
  return formatJson(JSON.stringify({ ...named, ...value }), kind);
}

/** Creates a file with all its bytes. @returns false if the file exists */
export async function create(path: string, content: string | Uint8Array): Promise<boolean> {
  await createFolder(dirname(path));
  const draft = join(dirname(path), draftName());
  try {
    await writeFile(draft, content, { flag: 'wx' });
    await link(draft, path).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') throw error;
      // Not every file system has links.
      await copyFile(draft, path, constants.COPYFILE_EXCL);
    });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}
