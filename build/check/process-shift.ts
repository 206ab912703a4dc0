import { compileShift, type ShiftOutputs } from '../compile/compile-shift.ts';
import { type FileBytes, type JsonFile, jsonFile } from '../content/file.ts';
import type { ExamPlace, ShiftFolder } from '../content/find.ts';
import { formulaOf, visitFormulas } from '../content/formulas.ts';
import { imageOf } from '../content/image.ts';
import { lenientQuestions, type PlacedTexts, visitTexts } from '../content/question.ts';
import type { ShiftFiles } from '../content/shift-files.ts';
import type { DiagramFile, Exam, ExamFile, Paper, SubjectFile } from '../content/types.ts';
import { formulaDelimiters } from '../rules/formula.ts';
import { examProblem, shiftProblem } from '../rules/names.ts';
import {
  type CheckedPaper,
  type FormulaProblem,
  type Problem,
  problemsOf,
  type Rule,
} from '../rules/rule.ts';
import { allRules, fileRules, formulaRules, paperRules, shiftRules } from '../rules/rules.ts';
import { schemaRule, validQuestions } from '../rules/schema.ts';
import { isMarked, mayConcern, nameRules, textProblems } from '../rules/text.ts';
import { type Diagnostic, locateAll, sourcesOf } from './diagnostic.ts';
import { formulaHash, stemHash, textHash } from './text-hash.ts';

/** Everything that the build needs to know about the files of one shift. */
export interface ProcessedShift {
  readonly diagnostics: readonly Diagnostic[];
  /** What the rules on the whole bank need, for each paper. */
  readonly facts: readonly PaperFacts[];
  /** Undefined if they were not asked for, or cannot be produced from this content. */
  readonly outputs: ShiftOutputs | undefined;
  /** Hashes of formulas that KaTeX was asked about and accepts. */
  readonly newFormulas: readonly number[];
}

export interface PaperFacts {
  /** Inside the content folder. */
  readonly path: string;
  /** 0 for a paper that breaks its schema. */
  readonly questions: number;
  /** For each question the hashes of its id and of its text; NaN for a question that breaks its schema. */
  readonly hashes: Float64Array;
}

export interface ProcessedExam {
  readonly diagnostics: readonly Diagnostic[];
  readonly exam: Exam;
}

/** Returns what KaTeX finds wrong with a formula, which is passed with its dollars. */
export type FormulaCheck = (formula: string) => FormulaProblem | undefined;

export interface ProcessOptions {
  readonly now: Date;
  /** Hashes of formulas that KaTeX accepts. Formulas that are found valid are added. */
  readonly validFormulas: Set<number>;
  /** Whether to produce outputs. */
  readonly compile: boolean;
  /** Called for the first formula that is not known to be valid. */
  readonly loadKatex?: () => Promise<FormulaCheck>;
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
  { now, validFormulas, compile, loadKatex = importKatex }: ProcessOptions,
): Promise<ProcessedShift> {
  const { exam, year, shift } = folder;
  const { papers, diagrams, jsonFiles } = parseShift(folder, files);
  const byName = new Map(diagrams.map((diagram) => [diagram.file, diagram]));
  const problems: Problem[] = [];
  const formulas = new Map<number, string>();
  const checkedPapers = papers.map(({ problems: ofFile, ...paper }, index): Paper => {
    const file = jsonFiles[index];
    problems.push(...ofFile);
    const questions = paper.content || !file ? paper.questions : lenientQuestions(file);
    checkTexts(paper.path, questions, problems, (text, start, end) => {
      const hash = formulaHash(text, start, end);
      if (!validFormulas.has(hash) && !formulas.has(hash)) formulas.set(hash, text.slice(start, end));
    });
    const checked: CheckedPaper = {
      ...{ exam, year, shift, path: paper.path, subject: paper.subject, questions: paper.questions },
      ...{ lastUpdated: paper.content?.lastUpdated, diagrams: byName, now },
    };
    problems.push(...problemsOf(paperRules, checked));
    return paper;
  });
  problems.push(...problemsOf(shiftRules, { exam, year, shift, papers: checkedPapers, diagrams }));
  const newFormulas: number[] = [];
  if (formulas.size > 0) {
    const katex = await loadKatex();
    const faults = new Map<string, FormulaProblem>();
    for (const [hash, formula] of formulas) {
      const fault = katex(formula);
      if (fault) {
        faults.set(formula, fault);
        continue;
      }
      formulas.delete(hash);
      validFormulas.add(hash);
      newFormulas.push(hash);
    }
    // Another formula of the same shape has its fault in another place.
    const problemOf = (formula: string) => faults.get(formula) ?? katex(formula);
    if (formulas.size > 0)
      for (const file of jsonFiles) problems.push(...formulaProblems(file, formulas, problemOf));
  }
  const isPublishable = compile && isNamed(folder) && !problems.some(({ rule }) => strictRules.has(rule));
  return {
    diagnostics: locateAll(problems, sourcesOf(bytesByPath(folder, files))),
    facts: checkedPapers.map(paperFacts),
    outputs: isPublishable ? compileShift(folder, checkedPapers, diagrams, files) : undefined,
    newFormulas,
  };
}

/** Validates an exam file. */
export function processExam({ path, code }: ExamPlace, bytes: FileBytes): ProcessedExam {
  const file = jsonFile(bytes, path, 'exam');
  const problems = [...problemsOf(contentFileRules, file)];
  const content = soundValue(file, problems) as ExamFile | undefined;
  const label = { path, pointer: '/label', text: content?.label ?? '' };
  problems.push(...textProblems(label, false, nameRules));
  return {
    exam: { path, code, content },
    diagnostics: locateAll(
      problems,
      sourcesOf(() => bytes),
    ),
  };
}

/** The facts of a shift's papers, which are checked against their schema only. */
export function shiftFacts(folder: ShiftFolder, papers: ShiftFiles['papers']): PaperFacts[] {
  return parseShift({ ...folder, diagrams: [] }, { papers, diagrams: [] }).papers.map((paper) => ({
    ...paperFacts(paper),
    questions: 0,
  }));
}

interface ParsedShift {
  readonly papers: readonly (Paper & { readonly problems: readonly Problem[] })[];
  readonly diagrams: readonly DiagramFile[];
  /** In the order of the papers. */
  readonly jsonFiles: readonly JsonFile[];
}

/** Parses the files of a shift. Each paper comes with what is wrong with it as a file. */
export function parseShift(folder: ShiftFolder, files: ShiftFiles): ParsedShift {
  const { exam, year, shift } = folder;
  const jsonFiles = folder.papers.map(({ path }, index) =>
    jsonFile(files.papers[index] ?? notRead, path, 'paper'),
  );
  return {
    jsonFiles,
    papers: folder.papers.map((place, index) => {
      const file = jsonFiles[index] ?? jsonFile(notRead, place.path, 'paper');
      const problems = [...problemsOf(contentFileRules, file)];
      const content = soundValue(file, problems) as SubjectFile | undefined;
      return { ...place, content, questions: validQuestions(file, problems), problems };
    }),
    diagrams: folder.diagrams.map(({ path, file }, index): DiagramFile => {
      return { path, exam, year, shift, file, image: imageOf(files.diagrams[index] ?? notRead, file) };
    }),
  };
}

const contentFileRules: readonly Rule<JsonFile>[] = [...fileRules, schemaRule];

/** A release cannot be built of content that breaks them. */
const strictRules = new Set(allRules.filter((rule) => rule.strict).map(({ name }) => name));

const notRead = { fault: 'The file was not read.' };

async function importKatex(): Promise<FormulaCheck> {
  return (await import('../rules/katex.ts')).formulaProblem;
}

/** The value of a file without problems. */
function soundValue(file: JsonFile, problems: readonly Problem[]): unknown {
  return file.state === 'parsed' && problems.length === 0 ? file.value : undefined;
}

/** Whether a release can name the shift. The rules on names run when the whole bank is checked. */
function isNamed(folder: ShiftFolder): boolean {
  return examProblem(folder.exam) === undefined && shiftProblem(folder) === undefined;
}

/** @param onFormula is called for every formula, with its dollars */
function checkTexts(
  path: string,
  questions: readonly PlacedTexts[],
  problems: Problem[],
  onFormula: (text: string, start: number, end: number) => void,
): void {
  for (const { question, pointer } of questions) {
    visitTexts(question, (text, below) => {
      const isLoose = visitFormulas(text, (start, end) => onFormula(text, start, end)) >= 0;
      if (mayConcern(text, isLoose))
        problems.push(...textProblems({ path, pointer: `${pointer}${below()}`, text }, isLoose));
    });
  }
}

/**
 * Reports every place of an invalid formula in a paper.
 *
 * @param invalid the formulas that KaTeX rejects, by hash
 */
function formulaProblems(
  file: JsonFile,
  invalid: ReadonlyMap<number, string>,
  problemOf: FormulaCheck,
): Problem[] {
  const problems: Problem[] = [];
  for (const { question, pointer } of lenientQuestions(file)) {
    visitTexts(question, (text, below) => {
      let ofText: readonly Problem[] | undefined;
      visitFormulas(text, (start, end) => {
        if (!invalid.has(formulaHash(text, start, end))) return;
        const at = { path: file.path, pointer: `${pointer}${below()}`, text };
        ofText ??= textProblems(at, true);
        if (isReported(ofText, start, end)) return;
        const formula = text.slice(start, end);
        problems.push(
          ...problemsOf(formulaRules, { ...at, ...formulaOf(formula, start), problem: problemOf(formula) }),
        );
      });
    });
  }
  return problems;
}

/** Whether a rule on texts has reported something in a formula, or cannot tell where formulas are. */
function isReported(problems: readonly Problem[], start: number, end: number): boolean {
  return isMarked(problems, start, end) || problems.some(({ rule }) => rule === formulaDelimiters.name);
}

function paperFacts({ path, content, questions }: Paper): PaperFacts {
  const hashes = new Float64Array(2 * ((questions.at(-1)?.index ?? -1) + 1)).fill(Number.NaN);
  for (const { question, index } of questions) {
    hashes[2 * index] = textHash(question.id);
    hashes[2 * index + 1] = stemHash(question.question);
  }
  return { path, questions: content?.questions.length ?? 0, hashes };
}

function bytesByPath(folder: ShiftFolder, files: ShiftFiles): (path: string) => FileBytes | undefined {
  const places = [...folder.papers, ...folder.diagrams];
  const bytes = [...files.papers, ...files.diagrams];
  return (path) => bytes[places.findIndex((place) => place.path === path)];
}
