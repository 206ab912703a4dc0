/** Writes the suggestions that the rules are certain of into the files of a bank. */
import { readdir, readFile, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { applyEdits, type Edit, visit } from 'jsonc-parser';
import type { Diagnostic, Report } from '../check/diagnostic.ts';
import { readJsonFile } from '../content/file.ts';
import { groupBy } from '../content/groups.ts';
import { Source } from '../content/positions.ts';
import { writeFileAtomically } from '../release/files.ts';
import { byteOrderMark } from '../rules/file.ts';

/** What is left of the problems, and what was done. */
export interface FixedContent {
  readonly report: Report;
  readonly fixed: readonly Diagnostic[];
  readonly renamed: readonly RenamedDiagram[];
}

interface RenamedDiagram {
  /** The folder of its shift, inside the content folder. */
  readonly folder: string;
  readonly from: string;
  readonly to: string;
}

/** A fix may uncover other problems, such as those of a file that was not JSON. */
const mostRounds = 100;

/**
 * Fixes the problems whose correction is certain, until none is left. Nothing but the reported ranges changes, except for
 * a diagram with a wrong name: it is renamed in its folder, and wherever its shift refers to it.
 *
 * @param validate returns the problems of the files as they are
 * @param isDry whether nothing is written: only what one round would fix is returned
 * @returns the problems that are left, those that were fixed, and the diagrams that were renamed
 * @throws the file system's own errors when a file cannot be written
 */
export async function fixContent(
  contentDir: string,
  validate: () => Promise<Report>,
  isDry = false,
): Promise<FixedContent> {
  let fixed: Diagnostic[] = [];
  const renamed: RenamedDiagram[] = [];
  let report = await validate();
  for (let round = 0; round < mostRounds; round += 1) {
    const done = await fixOnce(contentDir, report.diagnostics, isDry);
    if (done.fixed.length === 0) break;
    fixed = fixed.concat(done.fixed);
    renamed.push(...done.renamed);
    if (isDry) break;
    report = await validate();
  }
  return { report, fixed, renamed };
}

/** @param isDry whether nothing is written */
async function fixOnce(contentDir: string, problems: readonly Diagnostic[], isDry: boolean) {
  const fixed: Diagnostic[] = [];
  const renamed: RenamedDiagram[] = [];
  const misnamed: (RenamedDiagram & { readonly problem: Diagnostic })[] = [];
  const fixable = problems.filter(({ fix }) => fix !== undefined);
  for (const [path, ofFile] of groupBy(fixable, ({ file }) => file)) {
    const file = readJsonFile(join(contentDir, path), path, 'paper');
    if (!('text' in file)) continue;
    const source = new Source(file.text);
    const wanted = ofFile.flatMap((problem) => {
      const { fix = '', fixes = [] } = problem;
      const { start, end } = source.span(problem);
      if (isDiagramName(problem)) {
        const names = { from: JSON.parse(file.text.slice(start, end)), to: JSON.parse(fix) };
        misnamed.push({ folder: dirname(path), ...names, problem });
        return [];
      }
      const more = fixes.map((one) => ({ ...source.span(one), fix: one.fix, problem: undefined }));
      return [{ start, end, fix, problem }, ...more];
    });
    const edits: Edit[] = [];
    let isMarked = file.byteOrderMark;
    let last = 0;
    for (const { start, end, fix, problem } of wanted.sort((a, b) => a.start - b.start)) {
      if (start < last) continue;
      edits.push({ offset: start, length: end - start, content: fix });
      last = end;
      if (!problem) continue;
      isMarked &&= problem.rule !== byteOrderMark.name;
      fixed.push(problem);
    }
    const text = `${isMarked ? '\ufeff' : ''}${applyEdits(file.text, edits)}`;
    if (edits.length > 0 && !isDry) await replaceFile(join(contentDir, path), text);
  }
  for (const { problem, ...names } of misnamed) {
    const isRenamed = renamed.some(
      ({ folder, from }) => folder === names.folder && from === names.from,
    );
    if (!isRenamed && !isDry && !(await renameDiagram(contentDir, names))) continue;
    if (!isRenamed) renamed.push(names);
    fixed.push(problem);
  }
  return { fixed, renamed };
}

function isDiagramName({ pointer }: Pick<Diagnostic, 'pointer'>): boolean {
  return /\/(?:diagrams\/\d+|diagram)\/file$/.test(pointer);
}

/** Renames a diagram and all references to it. @returns false if it cannot: both names exist, or neither */
async function renameDiagram(
  contentDir: string,
  { folder, from, to }: RenamedDiagram,
): Promise<boolean> {
  const shift = join(contentDir, folder);
  const diagrams = join(shift, 'diagrams');
  // Not `stat`: some file systems take `q1.PNG` and `q1.png` for the same name.
  const names = await readdir(diagrams).catch((): string[] => []);
  if (names.includes(from) === names.includes(to)) return false;
  let isChanged = names.includes(from);
  if (isChanged) await rename(join(diagrams, from), join(diagrams, to));
  const entries = await readdir(shift, { withFileTypes: true });
  for (const { name } of entries.filter(
    (entry) => entry.isFile() && entry.name.endsWith('.json'),
  )) {
    // Names are ASCII, and all other bytes stay as they are, also in a file that is not UTF-8.
    const text = await readFile(join(shift, name), 'latin1');
    const edits: Edit[] = [];
    visit(text, {
      onLiteralValue(value, offset, length) {
        const written = text.slice(offset, offset + length);
        const content =
          value === from ? JSON.stringify(to) : written.replaceAll(`](${from})`, `](${to})`);
        if (content !== written) edits.push({ offset, length, content });
      },
    });
    if (edits.length === 0) continue;
    isChanged = true;
    await replaceFile(join(shift, name), Buffer.from(applyEdits(text, edits), 'latin1'));
  }
  return isChanged;
}

async function replaceFile(path: string, content: string | Buffer): Promise<void> {
  await writeFileAtomically(path, content, { mode: (await stat(path)).mode });
}
