/** The guides, which are also readable without a script: a Markdown file each, in this folder. */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { CompiledExam } from '../../compile/exams.ts';
import type { Output } from '../../compile/response.ts';
import { checksumLength } from '../../compile/response.ts';
import { type ApiErrorName, apiErrors } from '../../release/errors.ts';
import type { Plans } from '../../release/plans.ts';
import { checksumsPath, publicKeyPath } from '../../release/signature.ts';
import { endpoints } from '../../release/urls.ts';
import { count, formatNumber } from '../../report/wording.ts';
import { scriptAsset } from '../assets.ts';
import { originNote, sampleTabs } from '../code.ts';
import { type ExamplePaper, examplePaper, inventedQuestionFile } from '../example.ts';
import { type Html, html, inline, table } from '../html.ts';
import { docsMain, headingLinks, keyUrl, type Site, sitePage } from '../layout.ts';
import { markdown } from '../markdown.ts';
import { type Description, overviewSection, type Response, resolve } from '../openapi/openapi.ts';
import { errorTable } from '../reference/endpoint.ts';
import { fillText, readPage, type Values } from '../template.ts';
import { programTabs, readPrograms, threeLines } from './programs.ts';

export const guidesAddress = '/docs/guides/';

interface Guide {
  readonly title: string;
  readonly description: string;
  /** In Markdown, with places for values. */
  readonly template: string;
  readonly address: string;
}

/** Reads the guides, in reading order. */
export function readGuides(): Guide[] {
  return ['overview', 'key', 'limits', 'text', 'score', 'checksum', 'copy'].map((name) => {
    const { title, description, template } = readPage(`${name}.md`, import.meta.url);
    const address = name === 'overview' ? guidesAddress : `${guidesAddress}${name}/`;
    return { template, address, title, description };
  });
}

/** Makes the overview, a page for each guide, and the program that mirrors a bank. @param isSigned whether the release is signed */
export async function guidesOutputs(
  site: Site,
  exams: readonly CompiledExam[],
  description: Description,
  isSigned: boolean,
): Promise<Output[]> {
  const { bank } = site;
  const example = examplePaper(exams, bank.publicUrl);
  const programs = await readPrograms(example);
  const program = await scriptAsset('docs/pull.mjs', 'pull');
  const pages = readGuides();
  const text = (heading: string) => overviewSection(description, heading);
  const questions = description.paths[endpoints.file.path]?.get;
  const { subject, metadata } = inventedQuestionFile(example);
  const canonicalShift = JSON.stringify({ [subject]: metadata.checksum });
  const values: Values = {
    ...example,
    text,
    checksumLength,
    canonicalShift,
    checksumsPath,
    publicKeyPath,
    signatures: isSigned && signatureSection(example),
    report: bank.report !== undefined && reportSection(bank.report),
    signIn:
      bank.signUp === 'open'
        ? '[Sign up](/dashboard/sign-up/) or [sign in](/dashboard/sign-in/).'
        : `[Sign in](/dashboard/sign-in/). If you have no account, [ask the operator](${keyUrl(bank)}).`,
    programHash: hash('sha256', program.output.body),
    canonicalLength: canonicalShift.length,
    plans: planList(bank.plans),
    guides: guideList(pages.slice(1)),
    firstQuestions: sampleTabs('first-questions', questions?.['x-codeSamples'] ?? []),
    threeLines: threeLines(exams, example),
    program: (name) => programTabs(name, programs),
    status: (...names) =>
      errorsOf(names)
        .map(({ status }) => status)
        .join(', '),
    errors: (...names) => errorTable(errorsOf(names)),
    // The second paragraph.
    retries: text('Limits').split('\n\n')[1],
    limitHeaders: headersTable(description, questions?.responses['429']?.headers ?? {}),
  };
  const guidePages = pages.map((guide, index) => {
    const content = markdown(guide.template, values);
    const links = pages.map(({ address, title }, other) => {
      const subsections = other === index ? headingLinks(content) : [];
      return [address, other === 0 ? 'Overview' : title, subsections] as const;
    });
    const next = pages[index + 1];
    const { title, description, address } = guide;
    const nextLink = next
      ? html`<p class="next">Next: <a href="${next.address}">${next.title}</a></p>\n`
      : '';
    const contents = { label: 'Guides', links, current: address };
    const main = docsMain(guide, originNote(example), contents, html`${content}${nextLink}`);
    const place = { [index === 0 ? 'place' : 'below']: guidesAddress };
    return sitePage(site, address.slice(1, -1), { title, description, ...place, main });
  });
  return [...guidePages, program.output];
}

/** The section of a mirror's guide about signatures, in Markdown. */
function signatureSection(example: ExamplePaper): string {
  const text = readFileSync(new URL('signatures.md', import.meta.url), 'utf8');
  return fillText(text, { ...example, checksumsPath, publicKeyPath });
}

/** The section of the overview about mistakes, in Markdown. @param address with places */
function reportSection(address: string): string {
  const url = address.replace(/\{\w+\}/g, '');
  const [, mail] = /^mailto:([^?]+)/.exec(url) ?? [];
  return `## Report a mistake {#report}

Is an answer wrong? Beside each question of a sample paper is a link to report it. For any other question, [write to
${mail ?? 'the bank'}](<${url}>) with its \`id\`. In a program, \`bank.report(question)\` returns the address with the id filled in.`;
}

function planList(plans: Plans): string {
  const items = Object.entries(plans).map(
    ([name, { perSecond, perMonth }]) =>
      `- **${name}**: ${count(perSecond, 'request')} per second, ${formatNumber(perMonth)} per calendar month`,
  );
  return items.join('\n');
}

function guideList(guides: readonly Guide[]): Html {
  const items = guides.map(
    ({ address, title, description }) =>
      html`<li><a href="${address}">${title}</a><br>\n<span class="faint">${description}</span></li>\n`,
  );
  return html`<ol>\n${items}</ol>\n`;
}

function errorsOf(names: readonly string[]) {
  return names.map((name) => apiErrors[name as ApiErrorName]);
}

/** The header fields about limits in a response. */
function headersTable({ components }: Description, headers: Response['headers']): Html {
  return table(
    ['Field', 'Example', 'Description'],
    ['RateLimit-Policy', 'RateLimit', 'Retry-After'].map((field) => {
      const { example, description } = resolve(
        components.headers,
        headers[field] ?? { $ref: field },
      );
      return [html`<code>${field}</code>`, html`<code>${example}</code>`, inline(description)];
    }),
    'Response headers',
  );
}
