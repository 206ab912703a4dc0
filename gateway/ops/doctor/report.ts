import type { Told } from './run-checks.ts';
import { counted } from './words.ts';

/** Findings as a person reads them: state, check, and what to do below what is found. */
export function reportText(findings: readonly Told[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const indent = ' '.repeat('problem  '.length + width + 2);
  const lines = findings.map((finding) => {
    const line = `${finding.state.padEnd(7)}  ${finding.check.padEnd(width)}  ${finding.message}\n`;
    return finding.state === 'ok' ? line : `${line}${indent}${finding.advice}\n`;
  });
  return `${lines.join('')}\n${summaryOf(findings)}\n`;
}

/** The same for programs. */
export function reportJson(findings: readonly Told[]): string {
  const [problems, warnings] = [countOf(findings, 'problem'), countOf(findings, 'warning')];
  return `${JSON.stringify({ findings, problems, warnings })}\n`;
}

export function countOf(findings: readonly Told[], state: Told['state']): number {
  return findings.filter((finding) => finding.state === state).length;
}

function summaryOf(findings: readonly Told[]): string {
  const [problems, warnings] = [countOf(findings, 'problem'), countOf(findings, 'warning')];
  if (problems + warnings === 0) return 'All is well.';
  return `${counted(problems, 'problem')}, ${counted(warnings, 'warning')}.`;
}
