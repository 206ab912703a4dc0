import type { Finding, Rule, Severity } from './rule.ts';

/** A finding under the name of the rule that found it. */
export interface Problem extends Finding {
  readonly rule: string;
  readonly severity: Severity;
}

/** Of what one rule finds in one file, nobody reads more; a file of another kind may break it at every byte. */
const most = 1000;

/** What each rule of a list finds in one subject. */
export function* problemsOf<Subject>(rules: readonly Rule<Subject>[], subject: Subject): Generator<Problem> {
  for (const { name, severity, check } of rules) {
    const counts = new Map<string, number>();
    for (const finding of check(subject)) {
      const count = (counts.get(finding.path) ?? 0) + 1;
      counts.set(finding.path, count);
      if (count < most) yield { rule: name, severity, ...finding };
      if (count === most) yield { rule: name, severity, ...finding, message: andMore(finding.message) };
    }
  }
}

function andMore(message: string): string {
  return `${message} It goes on like this: no more of it is listed.`;
}
