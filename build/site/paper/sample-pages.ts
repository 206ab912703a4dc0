/**
 * Papers that are public samples, as students see them, with their answers folded. A shift whose papers are all samples
 * is one more page: the complete paper.
 */
import type { CompiledExam } from '../../compile/exams.ts';
import type { Output } from '../../compile/response.ts';
import { groupBy } from '../../content/groups.ts';
import { diagramsOf } from '../../content/question.ts';
import type {
  ExamForm,
  ExamYears,
  FormSection,
  Question,
  QuestionFile,
} from '../../release/resources.ts';
import { count } from '../../report/wording.ts';
import { assetAt, publicFile, scriptAsset } from '../assets.ts';
import { answerKeyLine, Html, html, sourceLine, table } from '../html.ts';
import { type Site, sitePage } from '../layout.ts';
import { samplesUrl, subjectName } from '../text.ts';
import { readKatex } from './katex-files.ts';
import { factsOf, questionArticle, questionId, reportLink, type ShowDiagram } from './question.ts';

const folder = 'docs/samples';

interface Sample {
  /** `EXAM/YEAR/SHIFT/SUBJECT` */
  readonly path: string;
  readonly file: QuestionFile;
  readonly exam: ExamYears;
  /** How the exam is sat, and the sections of the paper. */
  readonly form: ExamForm | undefined;
  readonly sections: readonly FormSection[];
  /** The name of its subject. */
  readonly title: string;
  /** The paths of the diagrams of its questions and passages, in the API. */
  readonly diagrams: readonly string[];
  /** The questions before it, if it is a part of a complete paper. */
  readonly before: number;
}

/** The questions of a section of a paper, and what they have in common. */
interface Section {
  readonly name: string;
  readonly common: string;
  readonly articles: readonly Html[];
}

/** A page: one paper, or all of a shift, which have the same exam and form. */
interface SamplePage {
  /** `EXAM/YEAR/SHIFT/SUBJECT`, or `EXAM/YEAR/SHIFT` */
  readonly path: string;
  readonly title: string;
  readonly papers: readonly [Sample, ...Sample[]];
}

/** Reads a protected response of the release. @param path of its URL */
export type ReadResponse = (path: string) => Promise<Pick<Output, 'mediaType' | 'body'>>;

/** A question of the first sample for other pages, with the style sheet that it needs. */
export interface ShownQuestion extends Sample {
  readonly question: Html;
  /** The URLs of the style sheet and the script. */
  readonly style: string;
  readonly script: string;
}

/** Makes the pages of the samples, the list of them, and what they load: a style sheet, a script, fonts and diagrams. */
export async function sampleOutputs(
  site: Site,
  exams: readonly CompiledExam[],
  read: ReadResponse,
) {
  const { report } = site.bank;
  const samples = await Promise.all(site.bank.samples.map((path) => sampleOf(path, exams, read)));
  const styles = inlineStyles();
  const complete = completePapers(samples, exams);
  const parts = new Map(complete.flatMap(({ papers }) => papers.map((part) => [part.path, part])));
  const ofOne = samples.map((sample): SamplePage => {
    return { ...sample, papers: [parts.get(sample.path) ?? sample] };
  });
  const pages = [...ofOne, ...complete];
  // Formulas take long: those of a complete paper are rendered once.
  const sections = new Map(
    ofOne.map(({ path, papers: [sample] }) => [path, sectionsOf(sample, report)]),
  );
  const papers = pages.map((page) => {
    const { main, ...parts } = pageOf(page, sections);
    return { ...parts, main: styles.moved(main), path: `${folder}/${page.path}` };
  });
  const [shown] = samples.slice(0, 1).map(withOneQuestion);
  const question = shown && styles.moved(html`${articles(shown, shown.file.questions, undefined)}`);
  const { style, fonts } = await readKatex();
  const sheet = assetAt(
    `${folder}/samples.css`,
    'text/css; charset=utf-8',
    Buffer.from(`${style}\n${styles.sheet()}`),
  );
  const script = await scriptAsset(`${folder}/paper.js`, 'paper');
  const shared = { style: sheet.url, below: '/docs/catalogue/' };
  // Papers of a shift may share a diagram.
  const diagrams = new Set(samples.flatMap((sample) => sample.diagrams));
  const outputs = [
    sitePage(site, folder, { ...listPage(pages), below: '/docs/catalogue/' }),
    ...papers.map(({ path, ...page }) =>
      sitePage(site, path, { ...page, ...shared, script: script.url }),
    ),
    sheet.output,
    script.output,
    ...fonts.map(({ path, body }) => publicFile(`${folder}/${path}`, 'font/woff2', body)),
    ...(await Promise.all(
      Array.from(diagrams, async (path) => {
        const { mediaType, body } = await read(path);
        return publicFile(`${folder}/${path}`, mediaType, body);
      }),
    )),
  ];
  const loads = { style: sheet.url, script: script.url };
  return { outputs, shown: shown && question && { ...shown, ...loads, question } };
}

/** @throws Error when the bank does not have the exam */
async function sampleOf(
  path: string,
  exams: readonly CompiledExam[],
  read: ReadResponse,
): Promise<Sample> {
  const { body } = await read(`${path}.json`);
  const file: QuestionFile = JSON.parse(body.toString());
  const { resource: exam, years = [] } =
    exams.find(({ resource }) => resource.exam === file.exam) ?? {};
  if (!exam) throw new Error(`${path} is a sample of an exam that the bank does not have.`);
  const { questions, passages = [] } = file;
  const shift = years
    .find(({ resource }) => resource.year === file.year)
    ?.resource.shifts.find(({ shift }) => shift === file.shift);
  const form = shift?.form ?? exam.form;
  const diagrams = [...passages, ...questions].flatMap((owner) => [...diagramsOf(owner)]);
  return {
    path,
    file,
    exam,
    form,
    sections: form?.sections.filter(({ subject }) => subject === file.subject) ?? [],
    title: subjectName(exam, file.subject),
    diagrams: diagrams.map((diagram) => diagramPath(file, diagram.file)),
    before: 0,
  };
}

/** The shifts whose papers are all samples, each with its papers in the order of the exam. */
function completePapers(
  samples: readonly Sample[],
  exams: readonly CompiledExam[],
): readonly SamplePage[] {
  const shifts = exams.flatMap(({ resource: { exam }, years }) =>
    years.flatMap(({ resource: { year, shifts } }) =>
      shifts.map(({ shift, subjects }) => ({ path: `${exam}/${year}/${shift}`, subjects })),
    ),
  );
  return shifts.flatMap(({ path, subjects }) => {
    let before = 0;
    const papers = subjects.flatMap((subject) => {
      const sample = samples.find((one) => one.path === `${path}/${subject}`);
      const part = sample && { ...sample, before };
      before += part?.file.questions.length ?? 0;
      return part ?? [];
    });
    const [first, ...others] = papers;
    if (!first || others.length === 0 || papers.length < subjects.length) return [];
    return { path, title: 'Complete paper', papers: [first, ...others] as const };
  });
}

/** The path of a diagram in the API. */
function diagramPath({ exam, year, shift }: QuestionFile, name: string): string {
  return `${exam}/${year}/${shift}/diagrams/${name}`;
}

function listPage(pages: readonly SamplePage[]) {
  const papers = table(
    ['Paper', 'Exam', 'Shift', 'Questions'],
    pages.map(({ path, title, papers }) => {
      const [{ exam, file }] = papers;
      const questions = papers.flatMap((paper) => paper.file.questions);
      const kinds = groupBy(questions, (question) => factsOf(question)[0]);
      const types = Array.from(kinds, ([kind, those]) => `${those.length} ${kind.toLowerCase()}`);
      const link = html`<a href="${samplesUrl}${path}/"><bdi>${title}</bdi></a>`;
      return [link, html`<bdi>${exam.label}</bdi>`, file.shift, types.join(', ')];
    }),
  );
  const main = html`<main id="main">
<div class="lead">
<p class="crumbs"><a href="/docs/catalogue/">Catalogue</a></p>
<h1>Sample papers</h1>
<p>You can read, answer and print these papers without an API key. All other questions
<a href="/docs/guides/key/">require one</a>.</p>
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

/** Questions of a sample, to answer. @param common what the heading above them says of all */
function articles(
  { file, exam, before }: Sample,
  questions: readonly Question[],
  report: string | undefined,
  common: readonly string[] = [],
): Html[] {
  const diagram: ShowDiagram = ({ file: name, alt, width, height, checksum }, isFigure) => {
    const url = `${samplesUrl}${diagramPath(file, name)}?v=${checksum}`;
    const image = html`<img src="${url}" alt="${alt}" width="${width}" height="${height}">`;
    return isFigure ? html`<figure>${image}</figure>` : image;
  };
  const view = {
    diagram,
    lang: exam.lang,
    isAnswerFolded: true,
    isAnswerable: true,
    facts: [],
    common,
  };
  return questions.map((question) =>
    questionArticle(file, question, {
      index: before + file.questions.indexOf(question),
      ...view,
      source: report === undefined ? undefined : reportLink(report, file, question.id),
    }),
  );
}

function sectionsOf(sample: Sample, report: string | undefined): Section[] {
  const sections = groupBy(sample.file.questions, ({ section }) => section ?? '');
  return Array.from(sections, ([name, questions]) => {
    const facts = questions.map(factsOf);
    const common = [0, 1].map((part) => {
      const [first = '', ...others] = new Set(facts.map((fact) => fact[part]));
      return others.length > 0 ? '' : first;
    });
    return {
      name,
      common: [count(questions.length, 'question'), ...common].filter(Boolean).join(' · '),
      articles: articles(sample, questions, report, common),
    };
  });
}

/** The name of a section, after that of its subject on a page with several: once if they are the same. */
function sectionName({ title }: Sample, name: string, { papers }: SamplePage): string {
  const names = new Set([papers.length > 1 && title, name]);
  return [...names].filter(Boolean).join(': ');
}

/** The head of the paper, as on the first page of the exam. */
function cover(page: SamplePage, marks: number): Html {
  const { path, title, papers } = page;
  const [{ exam, file, form }] = papers;
  const { metadata, source, shift } = file;
  const day = shift.slice(0, 'YYYY-MM-DD'.length);
  const minutes = minutesOf(
    form,
    papers.flatMap((paper) => paper.sections),
  );
  const ofPapers = papers.flatMap((paper) =>
    paper.sections.map((section) => ({ paper, ...section })),
  );
  const rules = ofPapers.map(({ paper, name, questions, attempt, marking }) => {
    const number = attempt === questions ? 'Answer all' : `Answer ${attempt} of`;
    const marks = marking ? ` (${factsOf({ type: 'mcq', marking })[1]})` : '';
    return `${sectionName(paper, name, page)}: ${number} ${count(questions, 'question')}${marks}.`;
  });
  const facts = [
    ['Date', day],
    ['Duration', minutes > 0 && count(minutes, 'minute')],
    ['Questions', String(papers.reduce((sum, paper) => sum + paper.file.total, 0))],
    ['Marks', marks > 0 && html`<span id="marks">${marks}</span>`],
  ] as const;
  const whole =
    form &&
    form.totalMarks > marks &&
    `The exam takes ${count(form.duration, 'minute')} for ${count(form.totalMarks, 'mark')}.`;
  return html`<div class="cover">
<p class="crumbs"><a href="/docs/catalogue/">Catalogue</a> / <a href="${samplesUrl}">Sample papers</a></p>
<h1><bdi>${exam.label}</bdi>: <bdi>${title}</bdi></h1>
<dl class="figures">
${facts.map(([name, value]) => value && html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>
${rules.length > 0 && html`<ul>${[...rules, whole].map((rule) => rule && html`<li>${rule}</li>`)}</ul>`}
<p class="hint">In the API: <code>/${path}.${papers.length > 1 ? 'zip' : 'json'}</code></p>
${metadata.answerKey && answerKeyLine(metadata.answerKey)}${source && sourceLine(source)}</div>`;
}

/** The minutes for some sections: their own, or their share of those of the exam by marks. */
function minutesOf(form: ExamForm | undefined, sections: readonly FormSection[]): number {
  const own = sections.reduce((sum, { duration = 0 }) => sum + duration, 0);
  if (own > 0 || !form) return own;
  return Math.round((form.duration * marksOf(sections)) / form.totalMarks);
}

function marksOf(sections: readonly FormSection[]): number {
  return sections.reduce((sum, { attempt, marking }) => sum + attempt * (marking?.correct ?? 0), 0);
}

/** @param sections of each paper, by its path */
function pageOf(page: SamplePage, sections: ReadonlyMap<string, readonly Section[]>) {
  const { title, papers } = page;
  const [{ exam, file, form }] = papers;
  const ofForm = papers.flatMap((paper) => paper.sections);
  const questions = papers.flatMap((paper) => paper.file.questions);
  const ofQuestions = questions.reduce((sum, { marking }) => sum + (marking?.correct ?? 1), 0);
  const marks = marksOf(ofForm) || ofQuestions;
  const minutes = minutesOf(form, ofForm);
  const links = questions.map(({ id, number }, index) => {
    return html`<a href="#${questionId(papers[0].before + index)}" data-id="${id}">${number ?? index + 1}</a>\n`;
  });
  const rules = JSON.stringify(ofForm.filter(({ marking }) => marking));
  const content = papers.flatMap((paper) => {
    const own = sections.get(paper.path) ?? [];
    return own.map(({ name, common, articles }) => {
      const heading = sectionName(paper, name, page) || 'Questions';
      return html`<div class="section"><h2>${heading}</h2><p class="hint">${common}</p></div>
${articles}`;
    });
  });
  const main = html`<main id="main" class="paper">
${cover(page, marks)}
<aside aria-label="This paper">
<div class="controls" data-minutes="${minutes}" data-sections="${rules}">
${
  minutes > 0 &&
  html`<p class="actions"><button class="button" type="button" id="timer">Start the timer</button>
<output id="time">${minutes}:00</output></p>`
}
<p class="actions"><button class="button" type="button" id="score">Score</button> <output id="result"></output></p>
<p class="actions"><label class="choice"><input type="checkbox" id="answers"> Answers and solutions</label></p>
<p class="actions"><button class="button" type="button" id="print">Print</button>
<select id="print-with" aria-label="What to print" autocomplete="off"><option value="">questions</option>
<option value="key">with the key</option><option value="solutions">with solutions</option></select></p>
</div>
<nav class="by-number" aria-label="Questions">
${links}</nav>
</aside>
<div class="questions">
${content}</div>
<div class="printed" id="printed-key"></div>
<div class="printed" id="printed-solutions"></div>
<p class="message toast" id="status" role="status"></p>
</main>
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
