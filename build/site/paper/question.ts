import { reportAddress } from '../../client/report.ts';
import { proseOf } from '../../content/formulas.ts';
import { placedDiagrams } from '../../content/markdown.ts';
import type {
  Diagram,
  Marking,
  Option,
  Question,
  QuestionFile,
  Passage as ServedPassage,
} from '../../release/resources.ts';
import { Html, html, type Part } from '../html.ts';
import { titleOf } from '../text.ts';
import { type FormulaOutput, type RenderDiagram, textHtml } from './text.ts';

/** What the preview adds to a question: the end of its header, and what is beside it. */
export interface QuestionBeside {
  readonly source?: Html | undefined;
  readonly aside?: Html;
}

interface QuestionView extends QuestionBeside {
  /** In the file, from 0. */
  readonly index: number;
  readonly diagram: ShowDiagram;
  /** The language of the exam or bank (BCP 47), for texts that name none. */
  readonly lang?: string | undefined;
  /** Whether the answer and the solution are folded, and no option is marked. */
  readonly isAnswerFolded: boolean;
  /** Whether there is neither an answer nor a solution. */
  readonly isAnswerHidden?: boolean;
  /** Whether it has controls to answer it, for the script of `<pastpaper-question>`. */
  readonly isAnswerable?: boolean;
  /** The id of its element, if it is not that of a page of its paper. */
  readonly id?: string;
  /** What the page says of all questions of a section: it shows numbers and labels as the exam prints them. */
  readonly common?: readonly string[];
  readonly output?: FormulaOutput;
  /** What the header shows after the number, section, type and marks. */
  readonly facts: readonly string[];
}

/** Renders a diagram: as a figure, or as an image among words. */
export type ShowDiagram = (diagram: Diagram, isFigure: boolean) => Html;

const types: Readonly<Record<Question['type'], string>> = {
  mcq: 'Multiple choice',
  msq: 'Multiple select',
  numerical: 'Numerical',
  text: 'Short text',
};

/** The id of a question's element on the page of its paper. @param index in the file, from 0 */
export function questionId(index: number): string {
  return `question-${index + 1}`;
}

/** The link with which readers report a mistake in a question. @param report the address with places */
export function reportLink(
  report: string,
  { exam, year, shift, subject }: Pick<QuestionFile, 'exam' | 'year' | 'shift' | 'subject'>,
  id: string,
): Html {
  const file = `${exam}/${String(year).padStart(4, '0')}/${shift}/${subject}.json`;
  const url = reportAddress(report, { exam, year, shift, subject, id, file });
  return html`<p class="hint"><a href="${url}">Report a mistake<span class="unseen"> in question ${id}</span></a></p>`;
}

/** The element of a question, with its number and facts, around its content. */
export function questionFrame(
  {
    index,
    number = index + 1,
    facts,
    source,
    aside,
  }: QuestionBeside & {
    readonly index: number;
    readonly number?: string | number | undefined;
    readonly facts: readonly Part[];
  },
  content: Html,
): Html {
  const id = questionId(index);
  return html`<article class="question" id="${id}" aria-labelledby="${id}-title">
<div>
<header class="actions">
<h2 id="${id}-title"><span class="unseen">Question </span>${number}</h2>
<ul class="facts">
${facts.filter(Boolean).map((fact) => html`<li>${fact}</li>\n`)}</ul>
${source ?? ''}
</header>
${content}
</div>
${aside ?? ''}
</article>`;
}

/** A question of a paper as students see it, with its answer. */
export function questionArticle(paper: QuestionFile, question: Question, view: QuestionView): Html {
  const { number, section } = question;
  const { common } = view;
  const [type, marks] = factsOf(question);
  const facts = common
    ? [type, marks].filter((fact) => fact && !common.includes(fact))
    : [section, number && `No. ${number}`, type, ...view.facts, marks];
  const shown = { ...view, facts, number: common && number };
  const content = questionContent(paper, question, view);
  return questionFrame(shown, view.isAnswerable ? answerable(paper, question, content) : content);
}

/** The element in which a question can be answered. */
function answerable(
  { subject }: Pick<QuestionFile, 'subject'>,
  question: Question,
  content: Html,
): Html {
  const { id, type, section, answer, accepted, dropped, answerRange, tolerance, marking } =
    question;
  const scored = { answer, accepted, dropped, answerRange, tolerance, marking };
  const data = JSON.stringify({ id, type, subject, section, ...scored });
  return html`<pastpaper-question data-question="${data}">${content}</pastpaper-question>`;
}

/** The kind of a question, and its marks as in `+4, −1 if wrong`. */
export function factsOf({
  type,
  marking,
}: Pick<Question, 'type' | 'marking'>): readonly [string, string] {
  return [types[type], marksText(marking)];
}

/** A question as students see it, without its number and facts. */
export function questionContent(
  paper: Pick<QuestionFile, 'questions' | 'passages' | 'language'>,
  question: Question,
  view: QuestionView,
): Html {
  const { index, diagram, isAnswerFolded, isAnswerHidden = false, isAnswerable, output } = view;
  const { options, type } = question;
  const isPrinted = view.common !== undefined;
  const solution = isAnswerHidden ? '' : (question.solution ?? '');
  const passage = paper.passages?.find(({ id }) => id === question.passage);
  const texts = [question.question, solution, ...options.map(({ value }) => value)];
  const { render, figures } = placedAndOthers(question.diagrams, texts, diagram);
  const folded = [
    isAnswerFolded && !isAnswerHidden ? 'answer' : '',
    solution === '' ? '' : 'solution',
  ].filter((name) => name !== '');
  const foldedTitle = html`${titleOf(folded.join(' and '))}${!view.id && html`<span class="unseen"> of question ${index + 1}</span>`}`;
  const id = view.id ?? questionId(index);
  const before = paper.questions[paper.questions.indexOf(question) - 1];
  const isPassageNew = question.passage !== before?.passage;
  const named = question.lang ?? paper.language;
  const language = named ?? view.lang;
  const isRight = language !== undefined && isRightToLeft(language);
  const ofStem =
    directionOf(question.question, isRight) ??
    texts.map((text) => directionOf(text, isRight)).find(Boolean);
  const base = ofStem ?? (isRight ? 'rtl' : 'ltr');
  const lang = html`${language && html` lang="${language}"`}`;
  const ofText = (text: string) => html`${lang} dir="${directionOf(text, isRight) ?? base}"`;
  return html`${
    passage &&
    html`<details class="passage" id="${id}-passage"${isPassageNew && html` open`}><summary>Passage <code>${passage.id}</code></summary>
<div class="set"${ofText(passage.text)}>${passageHtml(passage, diagram, output)}</div></details>`
  }
${question.dropped && html`<p class="dashed">Withdrawn by the exam body: it is not scored.</p>`}
<div class="stem set"${ofText(question.question)}>${textHtml(question.question, render, false, output)}</div>
${figures}
${isAnswerable ? answerForm() : options.length > 0 && optionList()}
${!isAnswerFolded && !isAnswerHidden && answerList(question, isPrinted)}
${
  folded.length > 0 &&
  html`<details class="solution" id="${id}-solution"><summary>${foldedTitle}</summary>
${isAnswerFolded && answerList(question, isPrinted)}
${solution !== '' && html`<div class="set"${ofText(solution)}>${textHtml(solution, render, false, output)}</div>`}
</details>`
}`;

  function optionList(): Html {
    const role = isAnswerable && html` role="list"`;
    return html`<ul class="options${columnsOf(options)}"${role}${lang} dir="${base}">
${options.map(optionItem)}</ul>`;
  }

  function answerForm(): Html {
    const legend = type === 'msq' ? 'Choose all correct options' : 'Your answer';
    const field = html`<label>${type === 'numerical' ? 'Number' : 'Text'}
<input type="text" name="response-${question.id}" autocomplete="off"${type === 'numerical' && html` inputmode="decimal"`}></label>`;
    return html`<form><fieldset><legend>${legend}</legend>
${options.length > 0 ? optionList() : field}</fieldset>
<button>Check</button>
<div role="status"></div></form>`;
  }

  function optionItem({ key, label, value, diagram: own }: Option): Html {
    const mark = isAnswerFolded || isAnswerHidden ? undefined : markOf(key, question);
    const shownValue = html`${textHtml(value, render, true, output)}${own && diagram(own, true)}`;
    const dir = html` dir="${directionOf(value, isRight) ?? base}"`;
    const name = isPrinted
      ? html`<span>${label ?? key}</span>`
      : html`<span>${key}</span>${label && html` <span class="label">${label}</span>`}`;
    const className = mark === undefined ? 'option' : `option ${mark}`;
    const content = html`<span class="key">${name}</span> <div class="value set"${dir}>${shownValue}</div>`;
    if (isAnswerable) {
      const control = html`<input type="${type === 'mcq' ? 'radio' : 'checkbox'}" name="response-${question.id}" value="${key}">`;
      return html`<li><label>${control} ${content}</label></li>\n`;
    }
    return html`<li class="${className}">${content}
${mark && html`<strong class="mark">${mark === 'right' ? 'Correct' : 'Accepted'}</strong>`}
</li>`;
  }
}

const rightToLeft = /[\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}\p{sc=Adlam}]/u;

/** Whether a language is written from right to left, by its script. */
function isRightToLeft(language: string): boolean {
  try {
    const { script = '' } = new Intl.Locale(language).maximize();
    return /^(?:Arab|Hebr|Syrc|Thaa|Nkoo|Adlm|Rohg)$/.test(script);
  } catch {
    return false;
  }
}

/**
 * The direction of a text outside its formulas: that of its first letter; in a language from right to left, that of any
 * letter of its script. Undefined without letters: it follows the text around it.
 */
function directionOf(text: string, isRight: boolean): 'ltr' | 'rtl' | undefined {
  const prose = proseOf(text).replace(/!\[[^\]]*\]\([^)]*\)/g, '');
  if (isRight && rightToLeft.test(prose)) return 'rtl';
  const [letter] = /\p{L}/u.exec(prose) ?? [];
  if (letter === undefined) return undefined;
  return rightToLeft.test(letter) ? 'rtl' : 'ltr';
}

/** Whether an option is right, or is accepted beside the right one. */
function markOf(key: string, { type, answer, accepted = [] }: Question) {
  if (answer.split(',').includes(key)) return 'right';
  return type === 'mcq' && accepted.includes(key) ? 'accepted' : undefined;
}

/** In how many columns the options fit: those of four, two or one. The style sheet adapts them to the window. */
function columnsOf(options: readonly Option[]): string {
  const lengths = options.map(({ value, diagram }) =>
    diagram ? 30 : value.replace(/\\[a-z]+|[\\{}$^_,]/gi, '').length,
  );
  const longest = Math.max(...lengths);
  return longest <= 8 ? ' of-4' : longest <= 30 ? ' of-2' : '';
}

function answerList(
  { type, answer, answerRange, tolerance, accepted = [], options }: Question,
  isPrinted: boolean,
): Html {
  const printed = (keys: string) =>
    keys
      .split(',')
      .map((key) => options.find((one) => one.key === key)?.label ?? key)
      .join(', ');
  const shown = isPrinted && options.length > 0 ? printed(answer) : answer;
  const ofTolerance = tolerance && `± ${tolerance}`;
  const range = answerRange ? `${answerRange.min} to ${answerRange.max}` : ofTolerance;
  const separator = type === 'msq' || type === 'text' ? ' or ' : ', ';
  return html`<dl class="answer">
<div><dt>Answer</dt><dd>${shown || 'none'}</dd></div>
${range && html`<div><dt>Range</dt><dd>${range}</dd></div>`}
${accepted.length > 0 && html`<div><dt>Accepted</dt><dd>${accepted.join(separator)}</dd></div>`}
</dl>`;
}

/** `+4, −1 if wrong` */
function marksText(marking: Marking | undefined): string {
  const { correct, incorrect, unanswered, partial } = marking ?? {};
  return [
    [correct, ''],
    [incorrect, ' if wrong'],
    [unanswered, ' if unanswered'],
    [partial, ' for each correct option'],
  ]
    .flatMap(([marks, when]) => (typeof marks === 'number' ? `${signed(marks)}${when}` : []))
    .join(', ');
}

function signed(marks: number): string {
  if (marks === 0) return '0';
  return marks < 0 ? `−${-marks}` : `+${marks}`;
}

/** The text of a passage, and its diagrams. */
export function passageHtml(
  { text, diagrams, lineNumbers }: ServedPassage,
  diagram: ShowDiagram,
  output?: FormulaOutput,
): Html {
  const { render, figures } = placedAndOthers(diagrams, [text], diagram);
  const shown = textHtml(text, render, false, output);
  return html`${lineNumbers ? numbered(shown) : shown}${figures}`;
}

/** A text with the number of every fifth line, as exams print them. */
function numbered({ text }: Html): Html {
  let line = 0;
  const lines = text.replace(/^(?!<p>)|<p>|<br>\n/g, (start) => {
    line += 1;
    return line % 5 === 0 ? `${start}<span class="line-number">${line}</span> ` : start;
  });
  return new Html(lines);
}

/** Renders the diagrams that texts place, and those that they do not. @param diagrams of a question or passage */
function placedAndOthers(
  diagrams: readonly Diagram[],
  texts: readonly string[],
  diagram: ShowDiagram,
): { readonly render: RenderDiagram; readonly figures: readonly Html[] } {
  const placed = new Set(texts.flatMap(placedDiagrams));
  return {
    render: (file, isFigure) => {
      const found = diagrams.find((one) => one.file === file);
      return found ? diagram(found, isFigure) : html`<code>${file}</code>`;
    },
    figures: diagrams.filter(({ file }) => !placed.has(file)).map((one) => diagram(one, true)),
  };
}
