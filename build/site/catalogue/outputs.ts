import { readFile } from 'node:fs/promises';
import type { CompiledExam } from '../../compile/compile.ts';
import type { Output } from '../../publish/outputs.ts';
import { assetAt, publicFile, publicPage } from '../asset.ts';
import { layout } from '../layout.ts';
import { catalogueOf } from './catalogue.ts';
import { changesSince, type ReleasedBank } from './changes.ts';
import { examMain } from './exam-page.ts';
import { changesPath } from './last-release.ts';
import { overviewMain } from './overview-page.ts';

const folder = 'docs/catalogue';

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
  const addresses = { exam: (code: string) => `/${folder}/${code}/`, changes: `/${changesPath}` };
  const overview = layout({
    title: 'Catalogue · Pastpaper',
    description: 'What the question bank holds: exams, years, shifts, subjects and topics.',
    styles,
    place: '/docs/catalogue/',
    main: overviewMain(catalogue, changes, addresses),
  });
  return [
    publicPage(folder, overview),
    ...catalogue.map((exam) =>
      publicPage(
        `${folder}/${exam.code}`,
        layout({
          title: `${exam.label} · Catalogue · Pastpaper`,
          description: `What the question bank holds of ${exam.label}.`,
          styles,
          below: '/docs/catalogue/',
          main: examMain(exam),
        }),
      ),
    ),
    style.output,
    ...(changes
      ? [publicFile(changesPath, 'application/json; charset=utf-8', Buffer.from(JSON.stringify(changes)))]
      : []),
  ];
}
