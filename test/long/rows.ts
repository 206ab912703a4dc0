import { type CommandResult, startCommand } from '../gateway/started-process.ts';

/** The names of the tests that failed, without those that failed for one inside them. */
export function failedRows(tap: string): string[] {
  const failures = [...tap.matchAll(/^ *not ok \d+ - (.*)\n(?:.*\n)*? *failureType: '(\w+)'/gm)];
  return failures.filter(([, , type]) => type !== 'subtestsFailed').map(([, name = '']) => name);
}

/** Runs files of the specification suite in one process; it prints TAP. */
export function runSpecification(
  names: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<CommandResult> {
  const files = names.map((name) => `test/specification/${name}.test.ts`);
  const options = ['--import', 'tsx', '--test-reporter=tap', 'test/in-one-process.ts'];
  return startCommand(process.execPath, [...options, ...files], settings).ended;
}
