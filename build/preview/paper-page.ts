import type { Diagnostic } from '../check/diagnostic.ts';
import { type ShiftFolder, shiftPath } from '../content/file.ts';
import { subjectLabels } from '../content/types.ts';
import { count, visibleLines } from '../report/wording.ts';
import { type Html, html } from '../site/html.ts';
import {
  type QuestionBeside,
  questionArticle,
  questionFrame,
  questionId,
  type ShowDiagram,
} from '../site/paper/question.ts';
import type { LiveBank } from './bank.ts';
import type { PageParts } from './document.ts';
import {
  bySubject,
  fileUrl,
  mayName,
  type PreviewedPlace,
  paperUrl,
  previewedPaper,
  textAt,
} from './paper.ts';
import { problemCount, problemList, problemsOf, toneOf } from './problems.ts';

/** The page of a paper or of its translation: each question as students see it, with its problems beside it. */
export async function paperPage(
  bank: LiveBank,
  folder: ShiftFolder,
  place: PreviewedPlace,
): Promise<PageParts> {
  const { path, subject, language } = place;
  const { contentDir, exams, report, version } = bank;
  const { exam, shift } = folder;
  const examFile = exams.find(({ code }) => code === exam)?.content;
  const { label = exam } = examFile ?? {};
  const labels = examFile ? subjectLabels(examFile) : undefined;
  const original = folder.papers.find((place) => place.subject === subject);
  const translations = folder.translations.filter((place) => place.subject === subject);
  const others = folder.papers.filter((other) => other.subject !== subject);
  const paper = await previewedPaper(contentDir, folder, place);
  const { served, source } = paper;
  const diagram: ShowDiagram = ({ file, alt, width, height, checksum }, isFigure) => {
    // The checksum changes with the bytes, so that browsers do not show an old diagram.
    const url = `${fileUrl(`${shiftPath(folder)}/diagrams/${file}`)}?v=${checksum}`;
    const image = html`<img src="${url}" alt="${alt}" width="${width}" height="${height}">`;
    if (!isFigure) return image;
    const name = html`<span class="unseen">Diagram </span><code>${file}</code>`;
    return html`<figure>
${image}
<figcaption class="hint">${name}<span class="alt" aria-hidden="true">${alt}</span></figcaption>
</figure>`;
  };
  const questions = Array.from({ length: paper.total }, (_, index) => {
    const pointer = `/questions/${index}`;
    const lines = source.valueRange(pointer);
    // Without the indentation that the question has in its file.
    const indentation = `\n${' '.repeat(lines.column - 1)}`;
    return { lines, text: source.written(pointer).replaceAll(indentation, '\n') };
  });
  const { ofFile, ofQuestions } = problemsOf(
    (report ?? (await bank.checkShift(folder))).diagnostics,
    path,
    questions,
    (name) => others.some((other) => mayName(textAt(contentDir, other.path), name)),
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
  const articles = questions.map(({ lines, text }, index) => {
    const question = paper.questions.get(index);
    const id = question && html`<code>${question.id}</code> `;
    const beside = {
      source: html`<p class="source hint">${id}<span>line ${lines.line}</span></p>`,
      aside: problemsBeside(index, path, ofQuestions[index] ?? []),
    };
    if (!question) return writtenQuestion(index, text, beside);
    const facts = [question.topic, question.difficulty];
    const lang = examFile?.lang ?? bank.config.lang;
    const view = { index, diagram, lang, isAnswerFolded: false, facts, ...beside };
    return questionArticle(served, question, view);
  });
  const title = labels?.get(subject) ?? subject;
  const { lastUpdated } = served.metadata;
  const updated = lastUpdated !== '' && html` · last updated <time>${lastUpdated}</time>`;
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
${!paper.isJson && html`<p class="hint">The file is not valid JSON. Its questions are shown as they are written.</p>`}
</section>
${articles}`;
  return {
    title: `${title}${language === undefined ? '' : ` (${language})`} · ${label} ${shift}`,
    main,
    version,
  };
}

function problemsBeside(index: number, path: string, problems: readonly Diagnostic[]): Html {
  if (problems.length === 0) return html``;
  return html`<div role="group" aria-label="Problems of question ${index + 1}">
${problemList(problems, { path, open: false, columns: 40 })}
</div>`;
}

/** A question that cannot be served: its source. */
function writtenQuestion(index: number, text: string, beside: QuestionBeside): Html {
  const label = `Source of question ${index + 1}`;
  const code = visibleLines(text).join('\n');
  const content = html`<p class="missing">This question cannot be served until its problems are solved.</p>
<pre class="written" tabindex="0" role="group" aria-label="${label}"><code>${code}</code></pre>`;
  return questionFrame({ index, facts: [], ...beside }, content);
}

function pageLink(place: Parameters<typeof paperUrl>[0], name: string, isCurrent: boolean): Html {
  return html`<a href="${paperUrl(place)}"${isCurrent ? html` aria-current="page"` : ''}>${name}</a>\n`;
}
