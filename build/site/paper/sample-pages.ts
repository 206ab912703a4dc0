/** Papers that are public samples, as students see them, with their answers folded. */
import { readFile } from 'node:fs/promises';
import type { CompiledExam } from '../../compile/exams.ts';
import type { Output } from '../../compile/response.ts';
import { diagramsOf } from '../../content/question.ts';
import type { ExamYears, QuestionFile } from '../../release/resources.ts';
import { count } from '../../report/wording.ts';
import { assetAt, publicFile, publicPage } from '../assets.ts';
import { answerKeyLine, Html, html, sourceLine, table } from '../html.ts';
import { layout, type Site } from '../layout.ts';
import { samplesUrl, subjectName } from '../text.ts';
import { readKatex } from './katex-files.ts';
import { questionArticle, reportLink, type ShowDiagram } from './question.ts';

const folder = 'docs/samples';

interface Sample {
  /** `EXAM/YEAR/SHIFT/SUBJECT` */
  readonly path: string;
  readonly file: QuestionFile;
  readonly exam: ExamYears;
  /** The name of its subject. */
  readonly title: string;
  /** The paths of the diagrams of its questions and passages, in the API. */
  readonly diagrams: readonly string[];
}

/** Reads a protected response of the release. @param path of its URL */
export type ReadResponse = (path: string) => Promise<Pick<Output, 'mediaType' | 'body'>>;

/** A question of the first sample for other pages, with the style sheet that it needs. */
export interface ShownQuestion extends Sample {
  readonly question: Html;
  /** The URL of the style sheet. */
  readonly style: string;
}

/** Makes a page for each sample, the list of them, and what they load: a style sheet, fonts and diagrams. */
export async function sampleOutputs(
  site: Site,
  exams: readonly CompiledExam[],
  read: ReadResponse,
) {
  const samples = await Promise.all(site.bank.samples.map((path) => sampleOf(path, exams, read)));
  const styles = inlineStyles();
  const papers = samples.map((sample) => {
    const { main, ...page } = samplePage(sample, site.bank.report);
    return { ...page, main: styles.moved(main), path: `${folder}/${sample.path}` };
  });
  const [shown] = samples.slice(0, 1).map(withOneQuestion);
  const question = shown && styles.moved(html`${articles(shown, site.bank.report)}`);
  const { style, fonts } = await readKatex();
  const questionStyle = await readFile(new URL('question.css', import.meta.url), 'utf8');
  const sheet = assetAt(
    `${folder}/samples.css`,
    'text/css; charset=utf-8',
    Buffer.from(`${style}\n${questionStyle}\n${styles.sheet()}`),
  );
  const below = '/docs/catalogue/';
  const list = layout(site, { ...listPage(samples), below });
  const pages = papers.map(({ path, ...page }) =>
    publicPage(path, layout(site, { ...page, style: sheet.url, below })),
  );
  // Papers of a shift may share a diagram.
  const diagrams = new Set(samples.flatMap((sample) => sample.diagrams));
  const outputs = [
    publicPage(folder, list),
    ...pages,
    sheet.output,
    ...fonts.map(({ path, body }) => publicFile(`${folder}/${path}`, 'font/woff2', body)),
    ...(await Promise.all(
      Array.from(diagrams, async (path) => {
        const { mediaType, body } = await read(path);
        return publicFile(`${folder}/${path}`, mediaType, body);
      }),
    )),
  ];
  return { outputs, shown: shown && question && { ...shown, question, style: sheet.url } };
}

/** @throws Error when the bank does not have the exam */
async function sampleOf(
  path: string,
  exams: readonly CompiledExam[],
  read: ReadResponse,
): Promise<Sample> {
  const { body } = await read(`${path}.json`);
  const file: QuestionFile = JSON.parse(body.toString());
  const exam = exams.find(({ resource }) => resource.exam === file.exam)?.resource;
  if (!exam) throw new Error(`${path} is a sample of an exam that the bank does not have.`);
  const { questions, passages = [] } = file;
  const diagrams = [...passages, ...questions].flatMap((owner) => [...diagramsOf(owner)]);
  return {
    path,
    file,
    exam,
    title: subjectName(exam, file.subject),
    diagrams: diagrams.map((diagram) => diagramPath(file, diagram.file)),
  };
}

/** The path of a diagram in the API. */
function diagramPath({ exam, year, shift }: QuestionFile, name: string): string {
  return `${exam}/${year}/${shift}/diagrams/${name}`;
}

function listPage(samples: readonly Sample[]) {
  const papers = table(
    ['Paper', 'Exam', 'Shift', 'Questions'],
    samples.map(({ path, exam, file, title }) => [
      html`<a href="${samplesUrl}${path}/">${title}</a>`,
      ...[exam.label, file.shift, file.total],
    ]),
  );
  const main = html`<main id="main">
<div class="lead">
<p class="crumbs"><a href="/docs/catalogue/">Catalogue</a></p>
<h1>Sample papers</h1>
<p>You can read these papers without an API key. All other questions <a href="/docs/guides/key/">require one</a>.</p>
</div>
${papers}</main>
`;
  return { title: 'Sample papers', description: 'Papers to read without an API key.', main };
}

/** A sample with only its first question that has a diagram, or the first one of all. */
function withOneQuestion(sample: Sample): Sample {
  const { questions } = sample.file;
  const drawn = questions.find(({ diagrams, passage }) => diagrams.length > 0 && !passage);
  return {
    ...sample,
    file: { ...sample.file, questions: drawn ? [drawn] : questions.slice(0, 1) },
  };
}

/** The questions of a sample, as students see them. */
function articles(sample: Sample, report: string | undefined): Html[] {
  const { file } = sample;
  const diagram: ShowDiagram = ({ file: name, alt, width, height, checksum }, isFigure) => {
    const url = `${samplesUrl}${diagramPath(file, name)}?v=${checksum}`;
    const image = html`<img src="${url}" alt="${alt}" width="${width}" height="${height}">`;
    return isFigure ? html`<figure>${image}</figure>` : image;
  };
  const view = { diagram, lang: sample.exam.lang, isAnswerFolded: true, facts: [] };
  return file.questions.map((question, index) =>
    questionArticle(file, question, {
      index,
      ...view,
      source: report === undefined ? undefined : reportLink(report, file, question.id),
    }),
  );
}

function samplePage(sample: Sample, report: string | undefined) {
  const { path, title, exam, file } = sample;
  const main = html`<main id="main">
<div class="lead">
<p class="crumbs"><a href="/docs/catalogue/">Catalogue</a> / <a href="${samplesUrl}">Sample papers</a></p>
<h1>${title}</h1>
<p>${exam.label} ${file.shift}, ${count(file.total, 'question')}.
The API serves this paper at <code>/${path}.json</code>.</p>
${file.metadata.answerKey && answerKeyLine(file.metadata.answerKey)}${file.source && sourceLine(file.source)}</div>
${articles(sample, report)}</main>
`;
  return {
    title: `${title} · ${exam.label} ${file.shift}`,
    description: `A sample paper: ${title}, ${exam.label} ${file.shift}.`,
    main,
  };
}

/**
 * The declarations of `style` attributes, moved to a style sheet, because the Content-Security-Policy of the pages
 * forbids inline styles. KaTeX positions the parts of formulas with them, and tables align their columns. In texts,
 * quotation marks are escaped.
 */
function inlineStyles() {
  const names = new Map<string, number>();
  return {
    moved: ({ text }: Html) =>
      new Html(
        text.replace(/ style=(?:"([^"]*)"|'([^']*)')/g, (_, one, other) => {
          const declarations: string = one ?? other;
          const name = names.get(declarations) ?? names.size;
          names.set(declarations, name);
          return ` data-style="${name}"`;
        }),
      ),
    /** Its selectors have an id, because a `style` attribute overrides the rules of style sheets. */
    sheet: () =>
      Array.from(names, ([text, name]) => `#main [data-style="${name}"]{${text}}\n`).join(''),
  };
}
