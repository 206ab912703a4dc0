import { readFile } from 'node:fs/promises';
import type { CompiledExam } from '../../compile/compile.ts';
import type { Output } from '../../publish/outputs.ts';
import { assetAt, publicFile, publicPage } from '../asset.ts';
import { layout } from '../layout.ts';
import { type CatalogueExam, catalogueOf } from './catalogue.ts';
import { type Changes, changesSince, type ReleasedBank } from './changes.ts';
import { examMain } from './exam-page.ts';
import { changesPath } from './last-release.ts';
import { overviewMain } from './overview-page.ts';

const folder = 'docs/catalogue';
const address = `/${folder}/`;

/**
 * The catalogue: a page over all exams, one for each, and what changed as JSON.
 *
 * @param last what the last release says of its years; undefined when there is none
 * @param siteStyle address of the style that all pages share
 */
export async function catalogueOutputs(
  exams: readonly CompiledExam[],
  last: ReleasedBank | undefined,
  siteStyle: string,
): Promise<Output[]> {
  const style = assetAt(
    `${folder}/catalogue.css`,
    'text/css; charset=utf-8',
    await readFile(new URL('catalogue.css', import.meta.url)),
  );
  const styles = [siteStyle, style.url];
  const catalogue = catalogueOf(exams);
  const years = exams.flatMap((exam) => exam.years.map(({ resource }) => resource));
  const changes = changesSince(last, years);
  return [
    overviewOutput(catalogue, changes, styles),
    ...catalogue.map((exam) => examOutput(exam, styles)),
    ...(changes ? [changesOutput(changes)] : []),
    style.output,
  ];
}

function overviewOutput(
  catalogue: readonly CatalogueExam[],
  changes: Changes | undefined,
  styles: readonly string[],
): Output {
  const page = layout({
    title: 'Catalogue · Pastpaper',
    description: 'What the question bank holds: exams, years, shifts, subjects and topics.',
    styles,
    place: address,
    main: overviewMain(catalogue, changes, {
      exam: (code) => `${address}${code}/`,
      changes: `/${changesPath}`,
    }),
  });
  return publicPage(folder, page);
}

function examOutput(exam: CatalogueExam, styles: readonly string[]): Output {
  const page = layout({
    title: `${exam.label} · Catalogue · Pastpaper`,
    description: `What the question bank holds of ${exam.label}.`,
    styles,
    below: address,
    main: examMain(exam),
  });
  return publicPage(`${folder}/${exam.code}`, page);
}

function changesOutput(changes: Changes): Output {
  return publicFile(changesPath, 'application/json; charset=utf-8', Buffer.from(JSON.stringify(changes)));
}
