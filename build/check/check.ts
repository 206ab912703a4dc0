import type { Bank, DiagramFile } from '../read/bank.ts';
import type { Finding, Rule, Severity } from './rule.ts';
import { bankRules, paperRules } from './rules.ts';

/** A finding under the name of the rule that found it. */
export interface Problem extends Finding {
  readonly rule: string;
  readonly severity: Severity;
}

/** Holds every rule against the bank; what broke its schema is passed over by the rules that read it. */
export function* checkBank(bank: Bank): Generator<Problem> {
  yield* apply(bankRules, bank);
  const diagrams = diagramsByShift(bank.diagrams);
  for (const { path, questions, exam, year, shift } of bank.papers) {
    const ofShift = diagrams.get(`${exam}/${year}/${shift}`) ?? new Map();
    yield* apply(paperRules, { path, questions, diagrams: ofShift });
  }
}

function* apply<Subject>(rules: readonly Rule<Subject>[], subject: Subject): Generator<Problem> {
  for (const { name, severity, check } of rules) {
    for (const finding of check(subject)) yield { rule: name, severity, ...finding };
  }
}

function diagramsByShift(diagrams: readonly DiagramFile[]): Map<string, Map<string, DiagramFile>> {
  const shifts = new Map<string, Map<string, DiagramFile>>();
  for (const diagram of diagrams) {
    const place = `${diagram.exam}/${diagram.year}/${diagram.shift}`;
    const files = shifts.get(place) ?? new Map<string, DiagramFile>();
    shifts.set(place, files.set(diagram.file, diagram));
  }
  return shifts;
}
