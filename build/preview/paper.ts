import { join } from 'node:path';
import { type ProcessedShift, processShift } from '../check/process-shift.ts';
import { questionFile } from '../compile/compile-shift.ts';
import { translated } from '../compile/translated.ts';
import {
  bytesOfShift,
  type FileBytes,
  jsonFile,
  maxJsonBytes,
  pathsOfShift,
  readBytes,
  type ShiftFiles,
  type ShiftFolder,
} from '../content/file.ts';
import { Source } from '../content/positions.ts';
import { diagramsOf, fieldsOf, listOf, withSharedPassages } from '../content/question.ts';
import { type PaperPlace, subjectCodes, type TranslationPlace } from '../content/types.ts';
import type { ExamFile, Passage, Question, SubjectFile } from '../content/written.ts';
import type { QuestionFile, Question as ServedQuestion } from '../release/resources.ts';
import { mostFindings } from '../rules/rule.ts';

/** A paper or translation, and its file. */
export type PreviewedPlace = PaperPlace & { readonly path: string; readonly language?: string };

/** Whether a file, or a question of it, may have a diagram of this name. */
export function mayName(text: string, diagram: string): boolean {
  return text.includes(JSON.stringify(diagram));
}

/** The text of a file of the content folder; empty if it cannot be read. */
export function textAt(contentDir: string, path: string): string {
  return parsed(path, readBytes(join(contentDir, path), maxJsonBytes)).text;
}

/** A paper as it is written, and as it will be served. */
export interface PreviewedPaper {
  readonly source: Source;
  /** Whether the file is JSON. */
  readonly isJson: boolean;
  /** The number of questions in the file. */
  readonly total: number;
  /** The ids of the passages in the file; '' for one without. */
  readonly passages: readonly string[];
  /** Without the questions and passages that cannot be served. */
  readonly served: QuestionFile;
  /** Its questions, by their index in the file. */
  readonly questions: ReadonlyMap<number, ServedQuestion>;
}

/**
 * Compiles what can be served of a paper or translation.
 *
 * @param files of its shift, as they are or will be
 * @param processed what is known of these files, if they have been validated
 */
export async function previewedPaper(
  files: ShiftFiles,
  folder: ShiftFolder,
  { path, ...place }: PreviewedPlace,
  processed?: Pick<ProcessedShift, 'unserved' | 'diagrams'>,
): Promise<PreviewedPaper> {
  const bytes = bytesOfShift(files);
  const { unserved, diagrams } =
    processed ??
    (await processShift(folder, files, {
      now: new Date(),
      validFormulas: new Set(),
      compile: false,
      // A question is served with any formula.
      loadKatex: async () => () => undefined,
    }));
  const images = new Map(diagrams.map((diagram) => [diagram.file, diagram]));
  const fileAt = (one: string) => parsed(one, bytes[pathsOfShift(folder).indexOf(one)]);
  const soundPartOf = (places: readonly PreviewedPlace[]) => (subject: string) => {
    const found = places.find((one) => one.subject === subject);
    return found && soundPart(found.path);
  };
  const { value, text, isJson } = fileAt(path);
  const own = soundPart(path);
  const { subject, language } = place;
  const originalOf = soundPartOf(folder.papers);
  const original = (language !== undefined && originalOf(subject)) || own;
  const whole = withSharedPassages<SubjectFile>(original, original.questions, originalOf);
  const inLanguage = folder.translations.filter((one) => one.language === language);
  const paper =
    original === own
      ? whole
      : translated(
          whole,
          withSharedPassages<SubjectFile>(own, whole.questions, soundPartOf(inLanguage)),
        );
  const served = questionFile(place, paper, images, language);
  const questions = own.questions.flatMap(({ id }, place): [number, ServedQuestion][] => {
    const question =
      original === own ? served.questions[place] : served.questions.find((one) => one.id === id);
    return question ? [[own.indexes[place] ?? place, question]] : [];
  });
  return {
    source: new Source(text),
    isJson,
    total: listOf(value['questions']).length,
    passages: listOf(value['passages']).map((passage) => String(fieldsOf(passage)['id'] ?? '')),
    served,
    questions: new Map(questions),
  };

  /** What can be served of a file. */
  function soundPart(path: string): SubjectFile & { readonly indexes: readonly number[] } {
    const { value, isJson } = fileAt(path);
    const ofFile = [...unserved].filter((place) => place.startsWith(`${path}#`));
    const wrong = new Set(
      ofFile.map((place) =>
        place
          .slice(path.length + 1)
          .split('/', 3)
          .join('/'),
      ),
    );
    // The rules stop early in a file with so many problems.
    const isWrong = !isJson || ofFile.length >= mostFindings || wrong.has('');
    const isSound = (pointer: string) => !isWrong && !wrong.has(pointer);
    const soundItems = <Item extends Passage | Question>(name: string) =>
      ((isSound(`/${name}`) ? listOf(value[name]) : []) as readonly Item[]).flatMap(
        (item, index) => (isSound(`/${name}/${index}`) && isDrawn(item) ? [{ item, index }] : []),
      );
    const questions = soundItems<Question>('questions');
    const marking = isSound('/marking') ? (value as Partial<SubjectFile>).marking : undefined;
    return {
      lastUpdated: isSound('/lastUpdated') ? String(value['lastUpdated']) : '',
      ...(marking && { marking }),
      passages: soundItems<Passage>('passages').map(({ item }) => item),
      questions: questions.map(({ item }) => item),
      indexes: questions.map(({ index }) => index),
    };
  }

  function isDrawn(owner: Passage | Question): boolean {
    return [...diagramsOf(owner)].every(({ file }) => {
      const image = images.get(file)?.image;
      return image !== undefined && !('fault' in image);
    });
  }
}

/** A file, and what is in it if it is JSON. */
function parsed(path: string, bytes: FileBytes = Buffer.alloc(0)) {
  const file = jsonFile(bytes, path, 'paper');
  const isJson = file.state === 'parsed';
  const text = 'text' in file ? file.text : 'bytes' in file ? file.bytes.toString() : '';
  return { value: fieldsOf(isJson && file.value), text, isJson };
}

/** The lines of each question in its file, and its text there, without the indentation. */
export function writtenQuestions({ source, total }: Pick<PreviewedPaper, 'source' | 'total'>) {
  return Array.from({ length: total }, (_, index) => {
    const pointer = `/questions/${index}`;
    const lines = source.valueRange(pointer);
    const indentation = `\n${' '.repeat(lines.column - 1)}`;
    return { lines, text: source.written(pointer).replaceAll(indentation, '\n') };
  });
}

/** Sorts papers of a shift in the order of the exam's subjects; other subjects come last. */
export function bySubject<Paper extends PaperPlace>(
  papers: readonly Paper[],
  exam: ExamFile | undefined,
) {
  const subjects = exam ? subjectCodes(exam) : [];
  const rank = ({ subject }: PaperPlace) => subjects.indexOf(subject) + 1 || subjects.length + 1;
  return papers.toSorted((a, b) => rank(a) - rank(b));
}

/** The path of the page of a paper or translation: `/neet/2024/2024-05-05-s1/physics`, or `physics.hi` there. */
export function paperUrl({
  exam,
  year,
  shift,
  subject,
  language,
}: PaperPlace & Partial<TranslationPlace>): string {
  const file = language === undefined ? subject : `${subject}.${language}`;
  return fileUrl(`${exam}/${year}/${shift}/${file}`);
}

/** The path of a file of the content folder. */
export function fileUrl(path: string): string {
  return path
    .split('/')
    .map((name) => `/${encodeURIComponent(name)}`)
    .join('');
}

/** The index of the question that a JSON pointer points to or into; undefined if there is none. */
export function questionIndex(pointer: string): number | undefined {
  const [, index] = /^\/questions\/(\d+)(?:\/|$)/.exec(pointer) ?? [];
  return index === undefined ? undefined : Number(index);
}
