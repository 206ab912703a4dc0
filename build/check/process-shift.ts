import { compileShift, type ShiftOutputs } from '../compile/compile-shift.ts';
import {
  bytesOfShift,
  type ExamPlace,
  type FileBytes,
  hasUniqueNames,
  type JsonFile,
  type JsonKind,
  jsonFile,
  pathsOfShift,
  type ShiftFiles,
  type ShiftFolder,
} from '../content/file.ts';
import { readImage } from '../content/image.ts';
import { escapePointer } from '../content/positions.ts';
import {
  fieldsOf,
  hasDiagrams,
  listOf,
  type PlacedTexts,
  questionHash,
  textHash,
  textsOfWrongFile,
  variantHash,
} from '../content/question.ts';
import type * as bank from '../content/types.ts';
import type * as written from '../content/written.ts';
import { isName } from '../release/urls.ts';
import { diagramRules } from '../rules/diagrams.ts';
import { examProblem, type MisplacedId, misplacedIds, shiftProblem } from '../rules/paper.ts';
import { mostFindings, type Problem, pointersOf, problemsOf, type Rule } from '../rules/rule.ts';
import {
  fileRules,
  nameRules,
  paperRules,
  shiftRules,
  strictRules,
  translationRules,
} from '../rules/rules.ts';
import { isTooLarge, quickValidators, schemaRule } from '../rules/schema.ts';
import { checkTexts, type LoadKatex, type PaperTexts, textProblems } from './check-texts.ts';
import { type Diagnostic, locate } from './diagnostic.ts';

/** Everything that the build needs to know about the files of one shift. */
export interface ProcessedShift {
  readonly diagnostics: readonly Diagnostic[];
  /** What the rules on the whole bank need, for each paper. */
  readonly facts: readonly PaperFacts[];
  /** Undefined if they were not asked for, or cannot be produced from this content. */
  readonly outputs: ShiftOutputs | undefined;
  /** Hashes of formulas that KaTeX was asked about and accepts. */
  readonly newFormulas: readonly number[];
  /** What cannot be served: the path of a file, `#`, and a JSON pointer (RFC 6901). */
  readonly unserved: ReadonlySet<string>;
  readonly diagrams: readonly bank.DiagramFile[];
}

export interface PaperFacts {
  /** Inside the content folder. */
  readonly path: string;
  readonly questions: number;
  /**
   * For each question the hashes of its id and of its text with its options, as 64-bit floats; NaN for what is missing.
   * V8 stores a plain buffer in a third of the time of a typed array.
   */
  readonly hashes: ArrayBuffer;
  /** For each question the hash of its options and answer, as `hashes`. */
  readonly variants: ArrayBuffer;
  readonly misplaced: readonly MisplacedId[];
  /** Each topic of its questions once. */
  readonly topics: readonly string[];
  /** Each section that its questions print, and the first question of it. */
  readonly sections: readonly { readonly name: string; readonly index: number }[];
  /** The content of a `shift.json`, which is listed among the papers. */
  readonly details?: written.ShiftFile | undefined;
}

export interface ProcessedExam {
  readonly diagnostics: readonly Diagnostic[];
  readonly exam: bank.Exam;
}

export interface ProcessOptions {
  readonly now: Date;
  /** Hashes of formulas that KaTeX accepts. Formulas that are found valid are added. */
  readonly validFormulas: Set<number>;
  /** Whether to produce outputs. */
  readonly compile: boolean;
  /** Replaces the loading of KaTeX, which only formulas that are not known to be valid need. */
  readonly loadKatex?: LoadKatex | undefined;
}

/**
 * Validates the files of one shift and produces its responses: the one unit of work of `validate`, `build` and
 * `preview`. It depends on its parameters alone.
 *
 * @throws Error when a response does not conform to the API's schema
 */
export async function processShift(
  folder: ShiftFolder,
  files: ShiftFiles,
  { now, validFormulas, compile, loadKatex }: ProcessOptions,
): Promise<ProcessedShift> {
  const {
    details,
    papers,
    translations,
    texts,
    wrongTexts,
    diagrams,
    problems: ofFiles,
  } = parseShift(folder, files);
  const byName = new Map(diagrams.map((diagram) => [diagram.file, diagram]));
  const isDrawn = diagrams.length > 0 || papers.some(namesDiagrams);
  const rules = isDrawn ? [...paperRules, ...diagramRules] : paperRules;
  const { problems: ofTexts, newFormulas } = await checkTexts(texts, validFormulas, loadKatex);
  const problems = [
    ...ofFiles,
    ...ofTexts,
    ...papers.flatMap((paper) => [
      ...problemsOf(rules, { ...paper, papers, diagrams: byName, now }),
    ]),
    ...translations.flatMap((translation) => {
      const original = papers.find(({ subject }) => subject === translation.subject);
      const inLanguage = translations.filter(({ language }) => language === translation.language);
      const subjects = new Set(inLanguage.map(({ subject }) => subject));
      return [...problemsOf(translationRules, { ...translation, original, subjects, now })];
    }),
    ...(isDrawn ? problemsOf(shiftRules, { papers, diagrams, wrongTexts }) : []),
  ];
  const strict = problems.filter(({ rule }) => strictRules.has(rule));
  const isPublishable = compile && papers.length > 0 && isNamed(folder) && strict.length === 0;
  return {
    diagnostics: problems.length > 0 ? locate(problems, bytesByPath(folder, files)) : [],
    facts: [
      ...details.map(({ path, content }) => ({ ...noQuestions, path, details: content })),
      ...papers.map(paperFacts),
      ...translations.map(({ path }) => ({ ...noQuestions, path })),
    ],
    outputs: isPublishable
      ? compileShift(
          { ...folder, details: { source: folder.source, ...details[0]?.content } },
          papers,
          translations,
          diagrams,
          files,
        )
      : undefined,
    newFormulas,
    unserved: new Set(
      strict.flatMap((problem) =>
        pointersOf([problem]).map((pointer) => `${problem.path}#${pointer}`),
      ),
    ),
    diagrams,
  };
}

/** Validates an exam file. */
export function processExam({ path, code }: ExamPlace, bytes: FileBytes): ProcessedExam {
  const { content, problems } = parseFile<written.ExamFile>(bytes, path, 'exam');
  problems.push(...nameProblems(path, content));
  return { exam: { path, code, content }, diagnostics: locate(problems, () => bytes) };
}

/** The problems of all texts of a file that has only names. */
function nameProblems(path: string, value: unknown, pointer = ''): Problem[] {
  if (typeof value === 'string')
    return textProblems({ path, pointer, text: value }, false, undefined, nameRules);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    nameProblems(path, inner, `${pointer}/${escapePointer(name)}`),
  );
}

export function parseShift(folder: ShiftFolder, files: ShiftFiles) {
  /** What is wrong with each paper as a file. */
  const problems: Problem[] = [];
  /** The texts of all papers and translations, also if they break their schema. */
  const texts: PaperTexts[] = [];
  /** The texts of papers that are not JSON, or break their schema; undefined for one without text. */
  const wrongTexts: (string | undefined)[] = [];

  function parse<Content extends written.SubjectFile | written.TranslationFile>(
    bytes: FileBytes | undefined,
    path: string,
    kind: JsonKind,
  ) {
    const parsed = parseFile<Content>(bytes, path, kind);
    const { file, content, problems: ofFile } = parsed;
    problems.push(...ofFile);
    texts.push({ path, placed: content ? textsOf(content) : textsOfWrongFile(file) });
    return { ...parsed, lastUpdated: soundLastUpdated(file, ofFile) };
  }

  const details = folder.details.map(({ path }, index) => {
    const { content, problems: ofFile } = parseFile<written.ShiftFile>(
      files.details[index],
      path,
      'shift',
    );
    problems.push(...ofFile, ...nameProblems(path, content));
    return { path, content };
  });
  const papers = folder.papers.map((place, index): bank.Paper => {
    const parsed = parse<written.SubjectFile>(files.papers[index], place.path, 'paper');
    const { file, content, lastUpdated, problems: ofFile } = parsed;
    if (!content) wrongTexts.push('text' in file ? file.text : undefined);
    return { ...place, content, lastUpdated, ...soundItems(file, ofFile) };
  });
  const translations = folder.translations.map((place, index): bank.Translation => {
    const { content, lastUpdated } = parse<written.TranslationFile>(
      files.translations[index],
      place.path,
      'translation',
    );
    return { ...place, content, lastUpdated };
  });
  const diagrams = folder.diagrams.map(({ path, file }, index): bank.DiagramFile => {
    return { path, file, image: readImage(file, files.diagrams[index] ?? notRead) };
  });
  return { details, papers, translations, texts, wrongTexts, diagrams, problems };
}

function namesDiagrams({ questions, passages }: bank.Paper): boolean {
  return (
    questions.some(({ question }) => hasDiagrams(question)) ||
    passages.some(({ passage }) => passage.diagrams !== undefined)
  );
}

const notRead = { fault: 'The file was not read.' };

const contentFileRules: readonly Rule<JsonFile>[] = [...fileRules, schemaRule];

/** A file and its problems; its content if it has none. */
function parseFile<Content>(bytes: FileBytes = notRead, path: string, kind: JsonKind) {
  const file = jsonFile(bytes, path, kind);
  const problems = isSound(file) ? [] : [...problemsOf(contentFileRules, file)];
  const content =
    file.state === 'parsed' && problems.length === 0 ? (file.value as Content) : undefined;
  return { file, problems, content };
}

/** Whether a file has no problem as a file, and conforms to its schema: for most files, this is the only check. */
function isSound(file: JsonFile): boolean {
  return (
    file.state === 'parsed' &&
    !file.byteOrderMark &&
    hasUniqueNames(file.text, file.value) &&
    quickValidators[file.kind](file.value)
  );
}

/**
 * The passages of a subject file that have no problem, and its questions without the properties that have one: what
 * follows from that problem is not reported as another one, and everything else is checked.
 *
 * @param problems of the file, those of the schema included
 */
function soundItems(
  file: JsonFile,
  problems: readonly Problem[],
): Pick<bank.Paper, 'passages' | 'questions'> {
  const value = file.state === 'parsed' ? file.value : undefined;
  // The rules stop early in such a file.
  const isCut = problems.length >= mostFindings || (problems.length > 0 && isTooLarge(value));
  if (isCut) return { passages: [], questions: [] };
  const { passages, questions } = fieldsOf(value);
  const pointers = pointersOf(problems);
  const wrongItems = new Set(pointers.map((pointer) => pointer.split('/', 3).join('/')));
  const wrongNames = wrongProperties(pointers);
  return {
    passages: listOf(passages)
      .map((passage, index) => ({
        passage: passage as written.Passage,
        pointer: `/passages/${index}`,
      }))
      .filter(({ pointer }) => !wrongItems.has(pointer)),
    questions: listOf(questions).map((question, index) => {
      const pointer = `/questions/${index}`;
      const names = wrongNames.get(pointer);
      return {
        question: names ? soundPart(question, names) : (question as written.Question),
        index,
        pointer,
      };
    }),
  };
}

/** The properties of each question that have a problem, by the pointer to the question. */
function wrongProperties(pointers: readonly string[]): Map<string, Set<string>> {
  const wrong = new Map<string, Set<string>>();
  for (const pointer of pointers) {
    const [question, name] = /^\/questions\/\d+(?:\/([^/]+))?/.exec(pointer) ?? [];
    if (question === undefined) continue;
    const at = name === undefined ? question : question.slice(0, -name.length - 1);
    const names = wrong.get(at) ?? new Set();
    wrong.set(at, names);
    if (name !== undefined) names.add(name);
  }
  return wrong;
}

const required = {
  id: '',
  type: 'mcq',
  question: '',
  options: [],
  answer: '',
  topic: '',
  difficulty: 'easy',
} as const;

/** A question without its wrong properties, and without what has a meaning only together with them. */
function soundPart(value: unknown, wrong: ReadonlySet<string>): written.Question {
  const isRight = ([name]: [string, unknown]) => !wrong.has(escapePointer(name));
  const sound: Partial<written.Question> = Object.fromEntries(
    Object.entries(fieldsOf(value)).filter(isRight),
  );
  const { accepted, diagrams, ...question } = { ...required, ...sound };
  const hasKeys = !['type', 'options', 'answer'].some((name) => wrong.has(name));
  // An unknown property may be a misspelt one.
  const mayHaveDiagrams = diagrams !== undefined || [...wrong].some((name) => !(name in required));
  return {
    ...question,
    options: wrong.has('type') ? [] : question.options,
    answer: hasKeys ? question.answer : '',
    accepted: hasKeys ? accepted : undefined,
    diagrams: mayHaveDiagrams ? (diagrams ?? []) : undefined,
  } as written.Question;
}

/** When a subject file was last updated; undefined where it has no such time. */
function soundLastUpdated(file: JsonFile, problems: readonly Problem[]): string | undefined {
  if (file.state !== 'parsed' || problems.some(({ pointer }) => pointer === '/lastUpdated'))
    return undefined;
  const { lastUpdated } = fieldsOf(file.value);
  return typeof lastUpdated === 'string' ? lastUpdated : undefined;
}

function textsOf({
  passages = [],
  questions,
}: written.SubjectFile | written.TranslationFile): PlacedTexts[] {
  return [
    ...passages.map((texts, index) => ({ texts, pointer: `/passages/${index}` })),
    ...questions.map((texts, index) => ({ texts, pointer: `/questions/${index}` })),
  ];
}

/** Whether a release can name the shift and its papers. The rules on names run when the whole bank is checked. */
function isNamed(folder: ShiftFolder): boolean {
  const hasSubjects = folder.papers.every(({ subject }) => isName('subject', subject));
  return (
    hasSubjects && examProblem(folder.exam) === undefined && shiftProblem(folder) === undefined
  );
}

function paperFacts({ path, questions, ...place }: bank.Paper): PaperFacts {
  const hashes = new Float64Array(2 * questions.length);
  const variants = new Float64Array(questions.length);
  const topics = new Set<string>();
  const sections = new Map<string, number>();
  for (const [index, { question }] of questions.entries()) {
    hashes[2 * index] = question.id === '' ? Number.NaN : textHash(question.id);
    hashes[2 * index + 1] = isWhole(question) ? questionHash(question) : Number.NaN;
    variants[index] = isWhole(question) ? variantHash(question) : Number.NaN;
    if (question.topic) topics.add(question.topic);
    const { section } = question;
    if (section !== undefined && !sections.has(section)) sections.set(section, index);
  }
  return {
    path,
    questions: questions.length,
    hashes: hashes.buffer,
    variants: variants.buffer,
    misplaced: misplacedIds(place, questions),
    topics: [...topics],
    sections: Array.from(sections, ([name, index]) => ({ name, index })),
  };
}

/** Whether its text and options are there: they may break the schema. */
function isWhole({ question, type, options }: written.Question): boolean {
  return question !== '' && (type === 'numerical' || type === 'text' || options.length > 0);
}

const noQuestions = {
  questions: 0,
  hashes: new ArrayBuffer(0),
  variants: new ArrayBuffer(0),
  misplaced: [],
  topics: [],
  sections: [],
};

function bytesByPath(
  folder: ShiftFolder,
  files: ShiftFiles,
): (path: string) => FileBytes | undefined {
  const paths = pathsOfShift(folder);
  const bytes = bytesOfShift(files);
  return (path) => bytes[paths.indexOf(path)];
}
