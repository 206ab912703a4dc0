/** The pages of the guides, which are also readable without a script. */
import type { CompiledExam } from '../../compile/exams.ts';
import type { Output } from '../../compile/response.ts';
import { publicPage } from '../assets.ts';
import { originNote, sample } from '../code.ts';
import { examplePaper } from '../example.ts';
import { type Html, html } from '../html.ts';
import { contents, docsMain, headingLinks, layout, type Site } from '../layout.ts';
import { texts } from '../openapi/description.ts';
import { addressOf, type Guide, type GuideContext, guides, guidesAddress } from './guides.ts';
import { programTabs, readPrograms } from './programs.ts';

/**
 * Makes the overview, and a page for each guide.
 *
 * @param isSigned whether the release is signed
 */
export async function guidesOutputs(site: Site, exams: readonly CompiledExam[], isSigned: boolean): Promise<Output[]> {
  const example = examplePaper(exams, site.bank.publicUrl);
  const programs = await readPrograms(example);
  const context: GuideContext = { bank: site.bank, example, isSigned, program: (name) => programTabs(name, programs) };
  return pages.map((guide) => {
    const page = layout(site, {
      title: guide.title,
      description: guide.summary,
      [guide === overview ? 'place' : 'below']: guidesAddress,
      main: guideMain(guide, context),
    });
    return publicPage(addressOf(guide).slice(1, -1), page);
  });
}

const overview: Guide = {
  name: '',
  title: 'Guides',
  summary: texts.overview,
  text: ({ example }) => html`<h2 id="first">A first request</h2>
<p>This request needs no key. It lists the shifts of a year, with their subjects, number of questions and checksums:</p>
${sample('curl', `curl ${example.origin}${example.yearPath}`)}
<h2 id="guides">Next steps</h2>
<ol class="guides">
${guides.map((guide) => html`<li><a href="${addressOf(guide)}">${guide.title}</a><p>${guide.summary}</p></li>\n`)}</ol>
<p>The <a href="/docs/reference/">reference</a> documents every endpoint, field and error. The <a href="/docs/catalogue/">catalogue</a>
lists what is in the bank.</p>
`,
};

const pages = [overview, ...guides];

function guideMain(guide: Guide, context: GuideContext): Html {
  const text = guide.text(context);
  const links = pages.map(
    (each) =>
      [addressOf(each), each === overview ? 'Overview' : each.title, each === guide ? headingLinks(text) : []] as const,
  );
  const next = pages[pages.indexOf(guide) + 1];
  const nextLink = next && html`<p class="next">Next: <a href="${addressOf(next)}">${next.title}</a></p>\n`;
  return docsMain(
    contents('Guides', links, addressOf(guide)),
    html`<h1>${guide.title}</h1>
<p>${guide.summary}</p>
${originNote(context.example)}
`,
    html`${text}${nextLink ?? ''}`,
  );
}
