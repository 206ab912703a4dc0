import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Command, readArguments, UsageError } from '../command-line/command.ts';
import { maxJsonBytes } from '../content/file.ts';
import { groupBy } from '../content/groups.ts';
import type { PaperPlace } from '../content/types.ts';
import { csvItems } from '../exchange/csv.ts';
import { giftItems } from '../exchange/gift.ts';
import { type ImportedPaper, type Item, importItems } from '../exchange/item.ts';
import { moodleItems } from '../exchange/moodle.ts';
import { qtiItems } from '../exchange/qti.ts';
import { openSource, parseXml } from '../exchange/source.ts';
import { create, fileText, forms, papersOf, readExam } from '../new/files.ts';
import { UserError } from '../release/user-error.ts';
import { count, formatNumber, visible } from '../report/wording.ts';

/** `pastpaper import`: makes a paper of questions in another format. Files that exist stay as they are. */
export const importCommand: Command = async (args, { contentDir }, { stdout }) => {
  const { values, positionals } = readArguments(args, { to: { type: 'string' } }, 'FILE');
  const [file = ''] = positionals;
  if (values.to === undefined)
    throw new UsageError('Missing option: --to EXAM/YEAR/SHIFT/SUBJECT.');
  const [place] = papersOf(contentDir, forms.paper, values.to) as [PaperPlace];
  const path = `${values.to}.json`;
  const target = join(contentDir, path);
  const { topics } = readExam(contentDir, place.exam);
  const result = importItems(itemsOf(file), place, topics?.[place.subject], new Date());
  const { paper, diagrams } = result;
  stdout.write(importReport(result));
  if (paper.questions.length === 0) return 1;
  const text = fileText(contentDir, { path, kind: 'paper', value: paper });
  if (Buffer.byteLength(text) > maxJsonBytes)
    throw new UserError('This is more than one paper can have. Split the file.');
  const images = [...diagrams].map(
    ([name, bytes]) => [join(dirname(target), 'diagrams', name), bytes] as const,
  );
  const existing = [target, ...images.map(([image]) => image)].find((one) => existsSync(one));
  if (existing !== undefined)
    throw new UserError(`${existing} exists. Remove it, or import to another place.`);
  for (const [image, bytes] of images) await create(image, bytes);
  await create(target, text);
  const created = images.length > 0 ? ` and ${count(images.length, 'diagram')}` : '';
  stdout.write(
    `\nCreated ${target}${created}.\nNext: run npx pastpaper validate, and npx pastpaper preview ${target}\n`,
  );
  return 0;
};

/** The questions of a file: XML and archives by what is in them, others by their extension. */
function itemsOf(file: string): Iterable<Item> {
  const source = openSource(file);
  const { text } = source;
  if (text === undefined) return qtiItems(source);
  if (/\.[ct]sv$/i.test(file)) return csvItems(text);
  if (/\.(?:gift|txt)$/i.test(file)) return giftItems(text);
  const root = /\.xml$/i.test(file) ? parseXml(text) : undefined;
  if (root?.name === 'quiz') return moodleItems(root);
  if (/^(?:assessmentitem|assessmenttest|manifest)$/.test(root?.name ?? ''))
    return qtiItems(source);
  throw new UserError(
    `${file} is none of these: QTI 2 or 3 (.xml, .zip), Moodle XML (.xml), GIFT (.gift, .txt), CSV (.csv).`,
  );
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
