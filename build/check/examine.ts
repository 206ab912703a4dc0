import { join } from 'node:path';
import { type FileBytes, type JsonFile, jsonFile, readJsonFile } from '../content/file.ts';
import type { ExamPlace, ShiftFolder } from '../content/find.ts';
import { formulaOf, visitFormulas } from '../content/formulas.ts';
import { imageOf } from '../content/image.ts';
import { legibleQuestions, visitTexts } from '../content/question.ts';
import type { ShiftFiles } from '../content/shift-files.ts';
import type { DiagramFile, Exam, ExamFile, Paper, PlacedQuestion, SubjectFile } from '../content/types.ts';
import { formulaDelimiters } from '../rules/formula.ts';
import { type CheckedPaper, type FormulaFault, type Problem, problemsOf, type Rule } from '../rules/rule.ts';
import { fileRules, formulaRules, paperRules, shiftRules } from '../rules/rules.ts';
import { schemaRule, soundQuestions } from '../rules/schema.ts';
import { isMarked, mayConcern, nameRules, textProblems } from '../rules/text.ts';
import { type Diagnostic, locate } from './diagnostic.ts';
import type { FingerprintTable } from './fingerprint-table.ts';
import { sources } from './sources.ts';
import { shapePrint } from './text-hash.ts';

/** Is told of every formula: the text that holds it, and the offsets of the formula with its dollars. */
export type FormulaVisitor = (text: string, start: number, end: number) => void;

/** What KaTeX says of a formula with its dollars; undefined when it sets it. */
export type FormulaCheck = (text: string) => FormulaFault | undefined;

export interface ExaminedExam {
  readonly exam: Exam;
  readonly diagnostics: readonly Diagnostic[];
}

export interface ExaminedShift {
  readonly papers: readonly Paper[];
  readonly diagrams: readonly DiagramFile[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads files and holds against them all that a file, or the files of one shift, show by themselves. */
export class Examination {
  readonly #contentDir: string;
  readonly #now: Date;

  constructor(contentDir: string, now: Date) {
    this.#contentDir = contentDir;
    this.#now = now;
  }

  exam({ path, code }: ExamPlace, bytes: FileBytes): ExaminedExam {
    const file = jsonFile(bytes, path, 'exam');
    const problems = [...problemsOf(contentFileRules, file)];
    const content = soundValue(file, problems) as ExamFile | undefined;
    const label = { path, pointer: '/label', text: content?.label ?? '' };
    problems.push(...textProblems(label, false, nameRules));
    return { exam: { path, code, content }, diagnostics: this.#located(problems) };
  }

  /** Reads a paper without holding it against any rule but its schema. */
  paper(place: ShiftFolder['papers'][number]): Paper {
    const file = readJsonFile(join(this.#contentDir, place.path), place.path, 'paper');
    const problems = [...problemsOf(contentFileRules, file)];
    return { ...place, content: undefined, questions: soundQuestions(file, problems) };
  }

  /**
   * @param files of the folder, as they were read
   * @param onFormula is called for every formula of a question
   */
  shift(folder: ShiftFolder, files: ShiftFiles, onFormula: FormulaVisitor): ExaminedShift {
    const { exam, year, shift } = folder;
    const diagrams = folder.diagrams.map(({ path, file }, index): DiagramFile => {
      const image = imageOf(files.diagrams[index] ?? notRead, file);
      return { path, exam, year, shift, file, image };
    });
    const byName = new Map(diagrams.map((diagram) => [diagram.file, diagram]));
    const problems: Problem[] = [];
    const papers = folder.papers.map((place, index): Paper => {
      const file = jsonFile(files.papers[index] ?? notRead, place.path, 'paper');
      const ofFile = [...problemsOf(contentFileRules, file)];
      const content = soundValue(file, ofFile) as SubjectFile | undefined;
      const questions = soundQuestions(file, ofFile);
      problems.push(...ofFile);
      checkTexts(place.path, content ? questions : legibleQuestions(file), onFormula, problems);
      const lastUpdated = content?.lastUpdated;
      const paper: CheckedPaper = { ...place, lastUpdated, questions, diagrams: byName, now: this.#now };
      problems.push(...problemsOf(paperRules, paper));
      return { ...place, content, questions };
    });
    problems.push(...problemsOf(shiftRules, { exam, year, shift, papers, diagrams }));
    return { papers, diagrams, diagnostics: this.#located(problems) };
  }

  /**
   * Tells of each place where a formula stands that KaTeX does not set.
   *
   * @param failing those formulas
   */
  formulaFaults(folder: ShiftFolder, failing: FingerprintTable, formulaFault: FormulaCheck): Diagnostic[] {
    const problems: Problem[] = [];
    const print = { high: 0, low: 0 };
    for (const { path } of folder.papers) {
      const file = readJsonFile(join(this.#contentDir, path), path, 'paper');
      for (const { question, pointer } of legibleQuestions(file)) {
        visitTexts(question, (text, below) => {
          let ofText: readonly Problem[] | undefined;
          visitFormulas(text, (start, end) => {
            shapePrint(text, start, end, print);
            if (failing.get(print) < 0) return;
            const at = { path, pointer: `${pointer}${below()}`, text };
            ofText ??= textProblems(at, true);
            if (isToldOf(ofText, start, end)) return;
            const formula = formulaOf(text.slice(start, end), start);
            problems.push(
              ...problemsOf(formulaRules, { ...at, ...formula, fault: formulaFault(text.slice(start, end)) }),
            );
          });
        });
      }
    }
    return this.#located(problems);
  }

  #located(problems: readonly Problem[]): Diagnostic[] {
    if (problems.length === 0) return [];
    const sourceOf = sources(this.#contentDir);
    return problems.map((problem) => locate(problem, sourceOf));
  }
}

const contentFileRules: readonly Rule<JsonFile>[] = [...fileRules, schemaRule];

const notRead = { fault: 'The file was not read.' };

/** A file's value, if nothing is wrong with the file. */
function soundValue(file: JsonFile, problems: readonly Problem[]): unknown {
  return file.state === 'parsed' && problems.length === 0 ? file.value : undefined;
}

/** Whether a rule on texts has marked something in a formula, or cannot tell which are formulas. */
function isToldOf(problems: readonly Problem[], start: number, end: number): boolean {
  return isMarked(problems, start, end) || problems.some(({ rule }) => rule === formulaDelimiters.name);
}

function checkTexts(
  path: string,
  questions: readonly PlacedQuestion[],
  onFormula: FormulaVisitor,
  problems: Problem[],
): void {
  for (const { question, pointer } of questions) {
    visitTexts(question, (text, below) => {
      const isLoose = visitFormulas(text, (start, end) => onFormula(text, start, end)) >= 0;
      if (mayConcern(text, isLoose))
        problems.push(...textProblems({ path, pointer: `${pointer}${below()}`, text }, isLoose));
    });
  }
}
