import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkBank, type Problem } from './check/check.ts';
import {
  checkExamFile,
  checkSubjectFile,
  type SchemaResult,
  schemaRule,
  soundQuestions,
} from './check/schema.ts';
import type { Bank, DiagramFile, Exam, Paper } from './read/bank.ts';
import { readJsonFile, readText } from './read/file.ts';
import { findContent } from './read/find.ts';
import { readImage } from './read/image.ts';
import { type Locator, locatorOf, type SyntaxMistake, startOfFile } from './read/json.ts';
import type { Place } from './read/place.ts';
import { byPlace, type Diagnostic, diagnose, type Report } from './report/diagnostic.ts';

/** Content that was read whole and held against every rule. */
export interface Validation {
  readonly bank: Bank;
  readonly report: Report;
}

/**
 * Reads the content folder and holds it against the schemas and all rules.
 *
 * @throws NoContent when the folder does not exist.
 */
export async function validateContent(contentDir: string): Promise<Validation> {
  const reading = new Reading(contentDir);
  for (const place of await findContent(contentDir)) await reading.read(place);
  const problems = [...reading.problems, ...checkBank(reading.bank)];
  const locatorFor = await locators(contentDir, problems);
  const diagnostics = [
    ...reading.diagnostics,
    ...problems.map((problem) => diagnose(problem, locatorFor)),
  ].sort(byPlace);
  const counts = { error: 0, warning: 0 };
  for (const { severity } of diagnostics) counts[severity] += 1;
  const { papers, exams } = reading.bank;
  return {
    bank: reading.bank,
    report: {
      diagnostics,
      summary: {
        files: exams.length + papers.length,
        questions: papers.reduce((sum, { content }) => sum + (content?.questions.length ?? 0), 0),
        errors: counts.error,
        warnings: counts.warning,
      },
    },
  };
}

/** The bank as it is read file by file, and what the files alone show to be wrong. */
class Reading {
  readonly bank = {
    exams: [] as Exam[],
    papers: [] as Paper[],
    diagrams: [] as DiagramFile[],
    strays: [] as string[],
  } satisfies Bank;
  readonly problems: Problem[] = [];
  readonly diagnostics: Diagnostic[] = [];
  readonly #contentDir: string;

  constructor(contentDir: string) {
    this.#contentDir = contentDir;
  }

  async read(place: Place): Promise<void> {
    switch (place.kind) {
      case 'exam':
        this.bank.exams.push({
          path: place.path,
          code: place.code,
          content: (await this.#parse(place.path, checkExamFile)).content,
        });
        break;
      case 'paper': {
        const { path, exam, year, shift, subject } = place;
        const { value, content, findings } = await this.#parse(path, checkSubjectFile);
        const questions = soundQuestions(value, findings);
        this.bank.papers.push({ path, exam, year, shift, subject, content, questions });
        break;
      }
      case 'diagram': {
        const { path, exam, year, shift, file } = place;
        const image = await this.#image(path, file);
        this.bank.diagrams.push({ path, exam, year, shift, file, image });
        break;
      }
      case 'stray':
        this.bank.strays.push(place.path);
        break;
    }
  }

  async #parse<Content>(path: string, check: Check<Content>): Promise<Parsed<Content>> {
    const parsed = await readJsonFile(join(this.#contentDir, path));
    if ('mistakes' in parsed) {
      this.diagnostics.push(...parsed.mistakes.map((mistake) => syntaxDiagnostic(path, mistake)));
      return { value: undefined, content: undefined, findings: [] };
    }
    const result = check(path, parsed.value);
    for (const finding of result.findings)
      this.problems.push({ rule: schemaRule, severity: 'error', ...finding });
    return { value: parsed.value, ...result };
  }

  async #image(path: string, file: string): Promise<DiagramFile['image']> {
    try {
      return readImage(file, await readFile(join(this.#contentDir, path)));
    } catch (error) {
      return { fault: `cannot be read (${(error as NodeJS.ErrnoException).code ?? 'it is too large'})` };
    }
  }
}

type Check<Content> = (path: string, value: unknown) => SchemaResult<Content>;

interface Parsed<Content> extends SchemaResult<Content> {
  readonly value: unknown;
}

function syntaxDiagnostic(file: string, { message, range }: SyntaxMistake): Diagnostic {
  return { rule: 'syntax', severity: 'error', message, file, ...range, pointer: '' };
}

/** Finds places in the files that problems point into: only those are read again. */
async function locators(
  contentDir: string,
  problems: readonly Problem[],
): Promise<(path: string) => Locator> {
  const found = new Map<string, Locator>();
  const places = problems.flatMap(({ path, related = [] }) => [path, ...related.map((place) => place.path)]);
  for (const path of new Set(places)) {
    if (!path.endsWith('.json')) continue;
    const text = await readText(join(contentDir, path));
    if (typeof text === 'string') found.set(path, locatorOf(text));
  }
  return (path) => found.get(path) ?? (() => startOfFile);
}
