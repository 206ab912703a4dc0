import { join } from 'node:path';
import type { Diagnostic } from '../check/diagnostic.ts';
import type { ShiftFolder } from '../content/find.ts';
import { readDiagram } from '../content/image.ts';
import { diagramsOf, withSharedPassages } from '../content/question.ts';
import { type DiagramFile, subjectLabels } from '../content/types.ts';
import { count } from '../report/wording.ts';
import { type Html, html } from '../site/html.ts';
import { questionArticle, questionId, type ShowDiagram } from '../site/paper/question.ts';
import type { LiveBank } from './bank.ts';
import type { PageParts } from './document.ts';
import {
  bySubject,
  diagramNames,
  fileUrl,
  paperUrl,
  type ReadPaper,
  readPaper,
  translatedPaper,
} from './paper.ts';
import { problemCount, problemList, problemsOf, toneOf } from './problems.ts';

/** The page of a paper or of its translation: each question as students see it, with its problems beside it. */
export async function paperPage(
  bank: LiveBank,
  folder: ShiftFolder,
  { path, subject, language }: ShiftFolder['papers'][number] & { readonly language?: string },
): Promise<PageParts> {
  const { contentDir, exams, report } = bank;
  const { exam, shift } = folder;
  const examFile = exams.find(({ code }) => code === exam)?.content;
  const { label = exam } = examFile ?? {};
  const labels = examFile ? subjectLabels(examFile) : undefined;
  const original = folder.papers.find((place) => place.subject === subject);
  const translations = folder.translations.filter((place) => place.subject === subject);
  const own = readPaper(contentDir, path);
  const read = language === undefined || !original ? own : readPaper(contentDir, original.path);
  const withShared = (
    paper: ReadPaper,
    places: readonly { readonly subject: string; readonly path: string }[],
  ) =>
    withSharedPassages(paper, read.questions, (other) => {
      const place = places.find((one) => one.subject === other);
      return place && readPaper(contentDir, place.path);
    });
  const whole = withShared(read, folder.papers);
  const inLanguage = folder.translations.filter((place) => place.language === language);
  const paper = own === read ? whole : translatedPaper(whole, withShared(own, inLanguage));
  const others = folder.papers.filter((other) => other.subject !== subject);
  const diagrams = new Map(
    folder.diagrams.map(({ path, file }) => [
      file,
      { path, file, image: readDiagram(join(contentDir, path), file) },
    ]),
  );
  const diagram: ShowDiagram = ({ file, alt }, isFigure) => {
    const image = picture(file, alt, diagrams.get(file));
    return isFigure ? figure(file, alt, image) : image;
  };
  const questions = paper.questions.map((question, index) => ({
    question,
    lines: paper.source.valueRange(`/questions/${index}`),
    files: [...diagramsOf(question)].map(({ file }) => file),
  }));
  const { ofFile, ofQuestions } = problemsOf(
    (report ?? (await bank.checkShift(folder))).diagnostics,
    path,
    questions,
    new Set(others.flatMap((other) => diagramNames(readPaper(contentDir, other.path)))),
  );
  const links = bySubject(folder.papers, examFile).map((place) =>
    pageLink(place, labels?.get(place.subject) ?? place.subject, place.subject === subject),
  );
  const languages = [
    ...(original ? [pageLink(original, 'Original', original.path === path)] : []),
    ...translations.map((place) => pageLink(place, place.language, place.path === path)),
  ];
  const problems = [...ofFile, ...new Set(ofQuestions.flat())];
  const jumps = ofQuestions.flatMap((ofQuestion, index) =>
    ofQuestion.length === 0
      ? []
      : [html`<li><a href="#${questionId(index)}">Question ${index + 1}</a></li>\n`],
  );
  const articles = questions.map(({ question, lines }, index) =>
    questionArticle(paper, question, {
      index,
      language,
      diagram,
      isAnswerFolded: false,
      facts: [question.topic, question.difficulty],
      source: html`<p class="source hint"><code>${question.id || 'no id'}</code> <span>line ${lines.line}</span></p>`,
      aside: problemsBeside(index, path, ofQuestions[index] ?? []),
    }),
  );
  const title = labels?.get(subject) ?? subject;
  const updated =
    paper.lastUpdated !== '' && html` · last updated <time>${paper.lastUpdated}</time>`;
  const isPartial = !paper.isJson && questions.length > 0;
  const main = html`<div class="lead">
<nav class="crumbs" aria-label="Breadcrumb"><a href="/">Papers</a> / ${label} / ${shift}</nav>
<h1>${title}</h1>
<p>${count(questions.length, 'question')}${updated} · <code>${path}</code></p>
<label class="student"><input type="checkbox" id="student-view"> Student view</label>
${
  others.length > 0 &&
  html`<nav class="tabs" aria-label="Papers of this shift">
${links}</nav>`
}
${
  translations.length > 0 &&
  html`<nav class="tabs languages" aria-label="Languages">
${languages}</nav>`
}
</div>
<section class="overview" aria-labelledby="overview">
<h2 class="message ${toneOf(problems)}" id="overview">${problemCount(problems) || 'No problems'}</h2>
${problemList(ofFile, { path, open: true, columns: 100 })}
${
  jumps.length > 0 &&
  html`<ul class="jumps">
${jumps}</ul>`
}
${!report && html`<p class="hint">This paper is still being compared with the other papers of the bank.</p>`}
${isPartial && html`<p class="hint">The file is not valid JSON. Only the parts that could be read are shown.</p>`}
</section>
${articles}`;
  return {
    title: `${title}${language === undefined ? '' : ` (${language})`} · ${label} ${shift}`,
    main,
  };
}

function problemsBeside(index: number, path: string, problems: readonly Diagnostic[]): Html {
  if (problems.length === 0) return html``;
  return html`<div role="group" aria-label="Problems of question ${index + 1}">
${problemList(problems, { path, open: false, columns: 40 })}
</div>`;
}

function figure(file: string, alt: string, image: Html): Html {
  const name = html`<span class="unseen">Diagram </span><code>${file}</code>`;
  return html`<figure>
${image}
<figcaption class="hint">${name}<span class="alt" aria-hidden="true">${alt}</span></figcaption>
</figure>`;
}

function picture(file: string, alt: string, found: DiagramFile | undefined): Html {
  if (!found)
    return html`<p class="missing">There is no diagram <code>${file}</code> in this shift.</p>`;
  const { image, path } = found;
  if ('fault' in image) return html`<p class="missing">This diagram cannot be shown.</p>`;
  // The version changes with the bytes, so that browsers do not show an old diagram.
  const url = `${fileUrl(path)}?v=${image.sha256.slice(0, 8)}`;
  return html`<img src="${url}" alt="${alt}" width="${image.width}" height="${image.height}">`;
}

function pageLink(place: Parameters<typeof paperUrl>[0], name: string, isCurrent: boolean): Html {
  return html`<a href="${paperUrl(place)}"${isCurrent ? html` aria-current="page"` : ''}>${name}</a>\n`;
}
