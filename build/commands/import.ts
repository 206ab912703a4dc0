import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Command, readArguments, UsageError } from '../command-line/command.ts';
import { importsPath, maxJsonBytes, readJsonFile } from '../content/file.ts';
import { groupBy } from '../content/groups.ts';
import type { PaperPlace } from '../content/types.ts';
import type { Question, SubjectFile } from '../content/written.ts';
import { readFormat } from '../exchange/formats.ts';
import { type ImportedPaper, type Item, importItems, numberedId } from '../exchange/item.ts';
import { fieldHashes, matchedIds, mergeQuestions, type Remembered } from '../exchange/merge.ts';
import { fileText, forms, papersOf, readExam } from '../new/files.ts';
import { createFolder, writeFileAtomically } from '../release/files.ts';
import { UserError } from '../release/user-error.ts';
import { count, formatNumber, visible } from '../report/wording.ts';

/**
 * `pastpaper import`: makes a paper of questions in another format, adds them to a paper, or updates those that came from
 * the same file.
 */
export const importCommand: Command = async (args, { contentDir }, { stdout }) => {
  const options = {
    to: { type: 'string' },
    map: { type: 'string' },
    append: { type: 'boolean', default: false },
  } as const;
  const { values, positionals } = readArguments(args, options, 'FILE');
  const [file = ''] = positionals;
  if (values.to === undefined)
    throw new UsageError('Missing option: --to EXAM/YEAR/SHIFT/SUBJECT.');
  const [place] = papersOf(contentDir, forms.paper, values.to) as [PaperPlace];
  const target = join(contentDir, `${values.to}.json`);
  const { topics } = readExam(contentDir, place.exam);
  const { items: read, notes } = await readFormat(file, values.map);
  const items = [...read];
  const known = topics?.[place.subject];
  const now = new Date();
  const result = importItems(items, place, known, now);
  const memory = readMemory(contentDir);
  const remembered = memory[values.to]?.[basename(file)];
  if (existsSync(target)) {
    const paper = paperAt(contentDir, `${values.to}.json`);
    const ids = new Set(paper.questions.map(({ id }) => id));
    const isOwn = items.some(({ id = '' }) => ids.has(id));
    if (!values.append && !remembered && !isOwn)
      throw new UserError(
        `${target} exists. Add its questions with --append, or import to another place.`,
      );
    const candidates = remembered && !isOwn ? new Set(Object.keys(remembered)) : ids;
    const own = new Set(Object.keys(remembered ?? {}));
    const idOf = idsOf(items, result, paper, { candidates, own }, place);
    const again = importItems(items, place, known, now, idOf);
    const fresh = withMarks(again.paper);
    const merged = mergeQuestions(paper, fresh, remembered ?? {}, again.paper.lastUpdated);
    stdout.write(`${notesText(notes)}${importReport(again)}`);
    if (merged.written.size > 0) {
      const images = [...again.diagrams].filter(([name]) =>
        [...merged.written].some((id) => name.startsWith(`${id}-`)),
      );
      await writePaper(contentDir, values.to, merged.paper, images, true);
    }
    await remember(contentDir, memory, values.to, basename(file), merged.remembered);
    const changed =
      merged.changes.length > 0
        ? merged.changes.map((line) => `${visible(line)}\n`).join('')
        : 'Nothing changed.\n';
    stdout.write(
      `\n${changed}\nUpdated ${target}.\nNext: run npx pastpaper validate, and npx pastpaper preview ${target}\n`,
    );
    return 0;
  }
  const { paper, diagrams } = result;
  stdout.write(`${notesText(notes)}${importReport(result)}`);
  if (paper.questions.length === 0) return 1;
  await writePaper(contentDir, values.to, paper, [...diagrams], false);
  const made = Object.fromEntries(
    withMarks(paper).map((question) => [question.id, fieldHashes(question)]),
  );
  await remember(contentDir, memory, values.to, basename(file), made);
  const created = diagrams.size > 0 ? ` and ${count(diagrams.size, 'diagram')}` : '';
  stdout.write(
    `\nCreated ${target}${created}.\nNext: run npx pastpaper validate, and npx pastpaper preview ${target}\n`,
  );
  return 0;
};

/** Questions with the marks that their paper has for all. */
function withMarks({ marking, questions }: SubjectFile): Question[] {
  return questions.map((question) => ({
    ...question,
    ...(marking && { marking: question.marking ?? marking }),
  }));
}

/** The ids that imported questions get: those of the questions that they are, or new ones. */
function idsOf(
  items: readonly Item[],
  { paper: { questions }, outcomes }: ImportedPaper,
  paper: SubjectFile,
  { candidates, own }: Readonly<Record<'candidates' | 'own', ReadonlySet<string>>>,
  place: PaperPlace,
): (index: number) => string {
  const imported = outcomes.flatMap(({ question }, index) => (question ? [index] : []));
  const matched = matchedIds(
    questions,
    paper.questions,
    imported.map((index) => items[index]?.id),
    candidates,
    own,
  );
  const taken = new Set(paper.questions.map(({ id }) => id));
  let last = 0;
  for (const id of taken) last = Math.max(last, Number(/(\d+)$/.exec(id)?.[1] ?? 0));
  const ids = new Map<number, string>();
  for (const [at, index] of imported.entries()) {
    let id = matched.get(at);
    while (id === undefined || (!matched.has(at) && taken.has(id))) {
      last += 1;
      id = numberedId(place, last);
    }
    taken.add(id);
    ids.set(index, id);
  }
  return (index) => ids.get(index) ?? numberedId(place, last + 1);
}

function paperAt(contentDir: string, path: string): SubjectFile {
  const file = readJsonFile(join(contentDir, path), path, 'paper');
  const value = file.state === 'parsed' ? (file.value as Partial<SubjectFile> | null) : undefined;
  const questions: unknown = value?.questions;
  if (
    Array.isArray(questions) &&
    questions.every((one) => typeof one?.id === 'string' && Array.isArray(one.options))
  )
    return value as SubjectFile;
  throw new UserError(
    `${join(contentDir, path)} exists and has errors. Run npx pastpaper validate, or import to another place.`,
  );
}

/** Writes a paper and its images. @param isUpdate whether files that exist are replaced */
async function writePaper(
  contentDir: string,
  place: string,
  paper: SubjectFile,
  images: readonly (readonly [name: string, bytes: Uint8Array])[],
  isUpdate: boolean,
): Promise<void> {
  const path = `${place}.json`;
  const target = join(contentDir, path);
  const text = fileText(contentDir, { path, kind: 'paper', value: paper });
  if (Buffer.byteLength(text) > maxJsonBytes)
    throw new UserError('This is more than one paper can have. Split the file.');
  const files = images.map(
    ([name, bytes]) => [join(dirname(target), 'diagrams', name), bytes] as const,
  );
  const existing = isUpdate ? undefined : files.find(([file]) => existsSync(file))?.[0];
  if (existing !== undefined)
    throw new UserError(`${existing} exists. Remove it, or import to another place.`);
  for (const [file, content] of [...files, [target, text] as const]) {
    await createFolder(dirname(file));
    await writeFileAtomically(file, typeof content === 'string' ? content : Buffer.from(content));
  }
}

/** What is remembered, by paper and file name. */
type Memory = Readonly<Record<string, Readonly<Record<string, Remembered>>>>;

/** @throws UserError if the file was damaged: questions would be added again */
function readMemory(contentDir: string): Memory {
  const file = join(contentDir, importsPath);
  if (!existsSync(file)) return {};
  try {
    const memory: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof memory === 'object' && memory !== null) return memory as Memory;
  } catch {
    // As below.
  }
  throw new UserError(`${file} is not what an import wrote. Restore it, or remove it.`);
}

async function remember(
  contentDir: string,
  memory: Memory,
  place: string,
  file: string,
  remembered: Remembered,
): Promise<void> {
  const next = { ...memory, [place]: { ...memory[place], [file]: remembered } };
  const text = `${JSON.stringify(next, undefined, 1)}\n`;
  if (JSON.stringify(next) !== JSON.stringify(memory))
    await writeFileAtomically(join(contentDir, importsPath), text);
}

function notesText(notes: readonly string[]): string {
  return notes.map((note) => `${visible(note)}\n`).join('');
}

/** Lists what was lost, and counts the questions by type. */
function importReport({ paper: { questions }, outcomes }: ImportedPaper): string {
  const rows = outcomes.map(
    ({ name, question, losses }) => [`${question?.id ?? '-'} "${name}"`, losses] as const,
  );
  const types = tallied(questions.map(({ type }) => type)).map(
    ([type, times]) => `${formatNumber(times)} ${type}`,
  );
  const total = `${formatNumber(questions.length)} of ${count(outcomes.length, 'question')} imported`;
  const summary = types.length > 0 ? `${total}: ${types.join(', ')}` : total;
  return `${lossReport('Lost or changed', rows)}${summary}.\n`;
}

/** Lists what was lost by question, and counts it by kind. Empty if nothing was lost. */
export function lossReport(
  title: string,
  rows: readonly (readonly [question: string, losses: readonly string[]])[],
): string {
  const kindOf = (loss: string) =>
    loss.startsWith('not imported') ? loss : loss.replace(/:.*/s, '');
  const kinds = tallied(rows.flatMap(([, losses]) => [...new Set(losses.map(kindOf))]));
  const lines = rows.map(([question, losses]) =>
    losses.length > 0 ? `${visible(`${question}: ${losses.join('; ')}`)}\n` : '',
  );
  const counts = kinds.map(([kind, times]) => `${String(times).padStart(6)}  ${visible(kind)}\n`);
  return kinds.length > 0 ? `${title}:\n${lines.join('')}\n${counts.join('')}` : '';
}

/** How often each value occurs, the most frequent first. */
function tallied(values: readonly string[]): [value: string, times: number][] {
  const times = Array.from(groupBy(values, String), ([value, { length }]): [string, number] => [
    value,
    length,
  ]);
  return times.sort(([, one], [, other]) => other - one);
}
