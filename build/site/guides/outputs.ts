import { readFile } from 'node:fs/promises';
import type { CompiledExam } from '../../compile/compile.ts';
import type { Output } from '../../publish/outputs.ts';
import { assetAt, publicPage } from '../asset.ts';
import { exampleOf, examplePath } from '../example.ts';
import { layout } from '../layout.ts';
import * as prose from '../openapi/prose.ts';
import { pageScript } from '../page-script.ts';
import { addressOf, type GuideBank, guidesAddress, guidesFolder } from './guide.ts';
import { guideMain } from './guide-page.ts';
import { guides } from './guides.ts';
import { overviewMain } from './overview-page.ts';
import { programTabs } from './program-tabs.ts';
import { programsOf } from './programs.ts';

/**
 * The guides: an overview, a page for each, their style and their script.
 *
 * @param styles addresses of the styles that they share with other pages, in order
 */
export async function guidesOutputs(
  exams: readonly CompiledExam[],
  styles: readonly string[],
): Promise<Output[]> {
  const style = assetAt(
    `${guidesFolder}/guides.css`,
    'text/css; charset=utf-8',
    await readFile(new URL('guides.css', import.meta.url)),
  );
  const script = assetAt(
    `${guidesFolder}/guides.js`,
    'text/javascript; charset=utf-8',
    await pageScript('guides'),
  );
  const shared = { styles: [...styles, style.url], script: script.url };
  const bank = await bankOf(exams);
  const overview = layout({
    ...shared,
    title: 'Guides · Pastpaper',
    description: prose.overview,
    place: guidesAddress,
    main: overviewMain(bank),
  });
  const pages = guides.map((guide) => {
    const page = layout({
      ...shared,
      title: `${guide.title} · Pastpaper`,
      description: guide.line,
      below: guidesAddress,
      main: guideMain(guide, bank),
    });
    return publicPage(addressOf(guide).slice(1, -1), page);
  });
  return [publicPage(guidesFolder, overview), ...pages, style.output, script.output];
}

async function bankOf(exams: readonly CompiledExam[]): Promise<GuideBank> {
  const example = exampleOf(exams);
  const programs = await programsOf(example);
  return {
    example,
    request: { kind: 'questions', path: examplePath(example) },
    program(name) {
      const languages = programs.get(name);
      if (!languages) throw new Error(`There is no program ${name}.`);
      return programTabs(name, languages);
    },
  };
}
