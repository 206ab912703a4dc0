import type { Diagnostic, Location } from '../../../../../build/check/diagnostic.ts';
import type { Bank } from '../bank.ts';

/** Diagnostics with locations that do not exist. */
export function locationErrors(bank: Bank, diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics.flatMap((diagnostic) =>
    [diagnostic, ...(diagnostic.related ?? [])]
      .filter((place) => !isInside(bank, place))
      .map(
        ({ file, line, column, endLine, endColumn }) =>
          `${diagnostic.rule} is reported at ${file}:${line}:${column} to ${endLine}:${endColumn}, which does not exist.`,
      ),
  );
}

function isInside(bank: Bank, { file, line, column, endLine, endColumn }: Location): boolean {
  const bytes = bank.get(file);
  if (!bytes) return isFolder(bank, file) && line === 1 && column === 1;
  // Problems of binary files are reported at their start.
  if (line === 1 && column === 1 && endLine === 1 && endColumn === 1) return true;
  const lines = new TextDecoder().decode(bytes).split('\n');
  const isIn = (at: number, inLine: number) =>
    inLine >= 1 && inLine <= (lines[at - 1] ?? '').length + 1;
  const isForward = endLine > line || (endLine === line && endColumn >= column);
  return (
    line >= 1 &&
    endLine <= lines.length &&
    isForward &&
    isIn(line, column) &&
    isIn(endLine, endColumn)
  );
}

/** Whether the path is a folder or the content folder itself. */
function isFolder(bank: Bank, path: string): boolean {
  return path === '' || [...bank.keys()].some((other) => other.startsWith(`${path}/`));
}
