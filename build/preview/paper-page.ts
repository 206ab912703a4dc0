import { join } from 'node:path';
import type { Diagnostic } from '../check/diagnostic.ts';
import {
  maxJsonBytes,
  readBytes,
  readShift,
  type ShiftFolder,
  shiftPath,
} from '../content/file.ts';
import { type ShiftPlace, subjectLabels } from '../content/types.ts';
import { count, visibleLines } from '../report/wording.ts';
import { type Html, html } from '../site/html.ts';
import {
  type QuestionBeside,
  questionArticle,
  questionFrame,
  questionId,
  reportLink,
  type ShowDiagram,
} from '../site/paper/question.ts';
import type { LiveBank } from './bank.ts';
import type { PageParts } from './document.ts';
import { versionOf } from './edit.ts';
import {
  bySubject,
  fileUrl,
  type PreviewedPlace,
  paperUrl,
  previewedPaper,
  writtenQuestions,
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
  const paper = await previewedPaper(readShift(contentDir, folder), folder, place);
  const { served, passages } = paper;
  const diagram = diagramsOfShift(folder);
  const questions = writtenQuestions(paper);
  const { ofFile, ofQuestions } = problemsOf(report?.diagnostics ?? [], path, questions);
  const links = bySubject(folder.papers, examFile).map((place) =>
    pageLink(place, labels?.get(place.subject) ?? place.subject, place.subject === subject),
  );
  const languages = [
    ...(original ? [pageLink(original, 'Original', original.path === path)] : []),
    ...translations.map((place) => pageLink(place, place.language, place.path === path)),
  ];
  const forms = `/-/edit${paperUrl(place)}`;
  const bytes = readBytes(join(contentDir, path), maxJsonBytes);
  const isEdited = paper.isJson && language === undefined && !('fault' in bytes);
  /** What the script needs to change the file. */
  const edit = isEdited ? { path, base: versionOf(bytes) } : undefined;
  const problems = [...ofFile, ...new Set(ofQuestions.flat())];
  const jumps = ofQuestions.flatMap((ofQuestion, index) =>
    ofQuestion.length === 0
      ? []
      : [html`<li><a href="#${questionId(index)}">Question ${index + 1}</a></li>\n`],
  );
  const articles = questions.map(({ lines, text }, index) => {
    const question = paper.questions.get(index);
    const id = question && html`<code>${question.id}</code> `;
    const address = bank.config.report;
    const beside = {
      source: html`<p class="source hint">${id}<span>line ${lines.line}</span></p>${
        question && address !== undefined && reportLink(address, served, question.id)
      }${edit && actions(index, questions.length)}`,
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
<nav class="crumbs faint" aria-label="Breadcrumb"><a href="/">Papers</a> / ${label} / ${shift}</nav>
<h1>${title}</h1>
<p>${count(questions.length, 'question')}${updated} · <code>${path}</code></p>
<p class="actions"><label><input type="checkbox" id="student-view"> Student view</label></p>
${
  links.length > 1 &&
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
</section>
${
  edit &&
  html`<div class="actions edit">
<a class="button" href="${forms}">Edit the details</a>
<a class="button" href="${forms}?passage=">New passage</a>
${passages.map(
  (id, index) => html`<a class="button" href="${forms}?passage=${index + 1}">Edit passage ${id}</a>
`,
)}</div>`
}
${articles}
${
  edit &&
  html`<p class="actions edit"><a class="button primary" href="${forms}?question=">New question</a></p>`
}`;
  return {
    title: `${title}${language === undefined ? '' : ` (${language})`} · ${label} ${shift}`,
    main,
    version,
    ...(edit && { edit }),
  };

  /** The link and the buttons that change a question. Buttons need the script. */
  function actions(index: number, total: number): Html {
    const buttons = [
      ['duplicate', 'Duplicate', true],
      ['up', 'Move up', index > 0],
      ['down', 'Move down', index < total - 1],
      ['delete', 'Delete', total > 1],
    ] as const;
    const of = `question ${index + 1}`;
    const shown = buttons
      .filter(([, , isShown]) => isShown)
      .map(
        ([action, text]) => html`<button type="button" class="button"
 data-action="${action}" data-index="${index}" aria-label="${text} ${of}">${text}</button>\n`,
      );
    return html`<div class="actions edit">
<a class="button" href="${forms}?question=${index + 1}" aria-label="Edit ${of}">Edit</a>
${shown}</div>`;
  }
}

/** Shows the diagrams of a shift as the preview serves them. */
export function diagramsOfShift(folder: ShiftPlace): ShowDiagram {
  return ({ file, alt, width, height, checksum }, isFigure) => {
    // The checksum changes with the bytes, so that browsers do not show an old diagram.
    const url = `${fileUrl(`${shiftPath(folder)}/diagrams/${file}`)}?v=${checksum}`;
    const image = html`<img src="${url}" alt="${alt}" width="${width}" height="${height}">`;
    if (!isFigure) return image;
    const name = html`<span class="unseen">Diagram </span><code>${file}</code>`;
    return html`<figure>
${image}
<figcaption class="hint">${name}<div aria-hidden="true">${alt}</div></figcaption>
</figure>`;
  };
}

function problemsBeside(index: number, path: string, problems: readonly Diagnostic[]): Html {
  if (problems.length === 0) return html``;
  return html`<div role="group" aria-label="Problems of question ${index + 1}">
${problemList(problems, { path, open: false, columns: 40 })}
</div>`;
}

/** A question that cannot be served: its source. */
export function writtenQuestion(index: number, text: string, beside: QuestionBeside): Html {
  const label = `Source of question ${index + 1}`;
  const code = visibleLines(text).join('\n');
  const content = html`<p class="dashed">This question cannot be served until its problems are solved.</p>
<pre class="written" tabindex="0" role="group" aria-label="${label}"><code>${code}</code></pre>`;
  return questionFrame({ index, facts: [], ...beside }, content);
}

function pageLink(place: Parameters<typeof paperUrl>[0], name: string, isCurrent: boolean): Html {
  return html`<a href="${paperUrl(place)}"${isCurrent ? html` aria-current="page"` : ''}>${name}</a>\n`;
}
