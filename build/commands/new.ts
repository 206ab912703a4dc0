import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { processExam } from '../check/process-shift.ts';
import { maxJsonBytes, readBytes } from '../content/file.ts';
import { type ExamFile, type PaperPlace, type SubjectFile, subjectCodes } from '../content/types.ts';
import { formatJson } from '../fix/json.ts';
import { createFolder } from '../release/drafts.ts';
import { examProblem, nearest, shiftProblem } from '../rules/names.ts';
import { type Command, readArguments, UsageError } from './command.ts';

/** A file to create, inside the content folder. */
interface NewFile {
  readonly path: string;
  readonly kind: 'exam' | 'paper';
  readonly value: ExamFile | SubjectFile;
}

/** `npm run new`: creates valid files of an exam, a year, a shift or a paper. Files that exist stay as they are. */
export const newCommand: Command = async (args, { contentDir }, io) => {
  const { values, positionals } = readArguments(args, {
    options: { label: { type: 'string' } },
    allowPositionals: true,
  });
  const [kind = '', place = '', ...names] = positionals;
  const files =
    kind === 'exam'
      ? [newExam(place, names, values.label)]
      : papersOf(kind, place, names, (code) => readExam(contentDir, code)).map((paper) =>
          newPaper(paper, new Date()),
        );
  const created: NewFile[] = [];
  for (const file of files) {
    const path = join(contentDir, file.path);
    const isNew = await create(path, fileText(contentDir, file));
    io.stdout.write(isNew ? `Created ${path}\n` : `Unchanged: ${path} exists.\n`);
    if (isNew) created.push(file);
  }
  const [first] = created;
  if (first) io.stdout.write(nextStep(join(contentDir, first.path), first));
  return first ? 0 : 1;
};

function nextStep(file: string, { kind, path }: NewFile): string {
  return kind === 'exam'
    ? `Next: check its label and subjects, then create papers: npm run new -- shift ${dirname(path)}/YYYY/YYYY-MM-DD-s1\n`
    : `Next: replace the sample question, then run npm run validate, and npm run preview -- ${file}\n`;
}

function newExam(code: string, subjects: readonly string[], label = code.toUpperCase()): NewFile {
  const problem = examProblem(code);
  if (problem) throw new UsageError(problem);
  if (subjects.length === 0)
    throw new UsageError(`Name the subjects of the exam: exam ${code} physics chemistry`);
  for (const subject of subjects) {
    if (!/^[a-z][a-z0-9-]*$/.test(subject))
      throw new UsageError(
        `"${subject}" is not a subject. Use lower-case letters, digits and hyphens, like life-sciences.`,
      );
  }
  return { path: `${code}/exam.json`, kind: 'exam', value: { label, subjects: [...new Set(subjects)] } };
}

/**
 * The papers of a year, of a shift, or a single one.
 *
 * @param place `<exam>/<year>`, `<exam>/<year>/<shift>` or `<exam>/<year>/<shift>/<subject>`
 * @param names the shifts of a year, with or without the year
 * @throws UsageError for wrong names, and subjects that the exam does not have
 */
function papersOf(
  kind: string,
  place: string,
  names: readonly string[],
  readExam: (code: string) => ExamFile,
): PaperPlace[] {
  const forms: Readonly<Record<string, readonly string[]>> = {
    year: ['EXAM', 'YEAR'],
    shift: ['EXAM', 'YEAR', 'SHIFT'],
    paper: ['EXAM', 'YEAR', 'SHIFT', 'SUBJECT'],
  };
  const form = Object.hasOwn(forms, kind) ? forms[kind] : undefined;
  if (!form)
    throw new UsageError(`Name what to create: exam, year, shift or paper${kind && `, not "${kind}"`}.`);
  const parts = place.split('/');
  if (parts.length !== form.length || (kind !== 'year' && names.length > 0))
    throw new UsageError(`Write ${kind} ${form.join('/')}, not "${[place, ...names].join(' ')}".`);
  const [exam = '', year = '', shift = '', subject] = parts;
  if (kind === 'year' && names.length === 0)
    throw new UsageError(`Name the shifts of the year: year ${place} 05-04-s1 05-04-s2`);
  const content = readExam(exam);
  const { label } = content;
  const subjects = subjectCodes(content);
  if (subject !== undefined && !subjects.includes(subject)) {
    const meant = nearest(subject, subjects);
    const advice = meant === undefined ? 'Add it to its exam.json first.' : `Did you mean "${meant}"?`;
    throw new UsageError(`"${subject}" is not a subject of ${label}: ${subjects.join(', ')}. ${advice}`);
  }
  const shifts =
    kind === 'year' ? names.map((name) => (/^\d\d-\d\d-/.test(name) ? `${year}-${name}` : name)) : [shift];
  return shifts.flatMap((name) => {
    const problem = shiftProblem({ year, shift: name });
    if (problem) throw new UsageError(problem);
    const ofShift = subject === undefined ? subjects : [subject];
    return ofShift.map((one) => ({ exam, year, shift: name, subject: one }));
  });
}

function readExam(contentDir: string, code: string): ExamFile {
  const problem = examProblem(code);
  if (problem) throw new UsageError(problem);
  const path = `${code}/exam.json`;
  const file = join(contentDir, path);
  const { content } = processExam({ kind: 'exam', code, path }, readBytes(file, maxJsonBytes)).exam;
  if (content) return content;
  throw new UsageError(
    existsSync(file)
      ? `${file} has errors. Run npm run validate.`
      : `There is no ${file}. Create it first: npm run new -- exam ${code} SUBJECT...`,
  );
}

/** A paper with one question. Its text names the paper, because a text in two papers would be a repetition. */
function newPaper({ exam, year, shift, subject }: PaperPlace, now: Date): NewFile {
  return {
    path: `${exam}/${year}/${shift}/${subject}.json`,
    kind: 'paper',
    value: {
      lastUpdated: now.toISOString().replace(/\.\d+Z$/, 'Z'),
      questions: [
        {
          id: `${exam}-${shift}-${subject}-01`,
          type: 'mcq',
          question: `Write the first question of ${exam} ${shift} ${subject} here.`,
          options: ['A', 'B', 'C', 'D'].map((key) => ({ key, value: `Option ${key}` })),
          answer: 'A',
          topic: 'Unclassified',
          difficulty: 'medium',
        },
      ],
    },
  };
}

/** The text of a file. It names its schema, for editors, if that is in the content folder. */
function fileText(contentDir: string, { path, kind, value }: NewFile): string {
  const schema = `schema/${kind === 'exam' ? 'exam' : 'subject-file'}.schema.json`;
  const upwards = '../'.repeat(path.split('/').length - 1);
  const named = existsSync(join(contentDir, schema)) && { $schema: `${upwards}${schema}` };
  return formatJson(JSON.stringify({ ...named, ...value }), kind);
}

/** @returns false if the file exists */
async function create(path: string, text: string): Promise<boolean> {
  await createFolder(dirname(path));
  try {
    await writeFile(path, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
