/** The pages of the guides, which are also readable without their script. */
import type { CompiledExam } from '../../compile/exams.ts';
import type { Output } from '../../compile/response.ts';
import { publicPage, scriptAsset } from '../assets.ts';
import { examplePaper } from '../example.ts';
import { type Html, html } from '../html.ts';
import { contents, docsMain, layout } from '../layout.ts';
import { texts } from '../openapi/description.ts';
import { originNote, sample } from '../reference/samples.ts';
import { sampleOrigin } from '../text.ts';
import { addressOf, type Guide, type GuideContext, guides, guidesAddress } from './guides.ts';
import { programTabs, readPrograms } from './programs.ts';

/**
 * Makes the overview, a page for each guide, and their script.
 *
 * @param style URL of the site's style sheet
 * @param isSigned whether the release is signed
 */
export async function guidesOutputs(
  exams: readonly CompiledExam[],
  style: string,
  isSigned: boolean,
): Promise<Output[]> {
  const script = await scriptAsset('docs/guides/guides.js', 'guides');
  const shared = { styles: [style], script: script.url };
  const example = examplePaper(exams);
  const programs = await readPrograms(example);
  const context: GuideContext = { example, isSigned, program: (name) => programTabs(name, programs) };
  const outputs = pages.map((guide) => {
    const page = layout({
      ...shared,
      title: `${guide.title} · Pastpaper`,
      description: guide.summary,
      [guide === overview ? 'place' : 'below']: guidesAddress,
      main: guideMain(guide, context),
    });
    return publicPage(addressOf(guide).slice(1, -1), page);
  });
  return [...outputs, script.output];
}

const overview: Guide = {
  name: '',
  title: 'Guides',
  summary: texts.overview,
  text: ({ example }) => html`<h2 id="first">A first request</h2>
<p>This request needs no key. It lists the shifts of a year, with their subjects, number of questions and checksums:</p>
${sample('curl', 'curl', `curl ${sampleOrigin}${example.yearPath}`)}
<h2 id="guides">Next steps</h2>
<ol class="guides">
${guides.map((guide) => html`<li><a href="${addressOf(guide)}">${guide.title}</a><p>${guide.summary}</p></li>\n`)}</ol>
<p>The <a href="/docs/">reference</a> documents every endpoint, field and error. The <a href="/docs/catalogue/">catalogue</a>
lists what is in the bank.</p>
`,
};

const pages = [overview, ...guides];

function guideMain(guide: Guide, context: GuideContext): Html {
  const links = guides.map((each) => [addressOf(each), each.title] as const);
  const next = pages[pages.indexOf(guide) + 1];
  const nextLink = next && html`<p class="next">Next: <a href="${addressOf(next)}">${next.title}</a></p>\n`;
  return docsMain(
    contents('Guides', [[guidesAddress, 'Overview'], ...links], addressOf(guide)),
    html`<h1>${guide.title}</h1>
<p>${guide.summary}</p>
${originNote}
`,
    html`${guide.text(context)}${nextLink ?? ''}`,
  );
}
