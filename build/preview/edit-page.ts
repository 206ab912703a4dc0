/** The pages with forms: of a question, a passage or the details of a paper, and of a new paper. The script makes them. */
import { join } from 'node:path';
import schema from '../../content/schema/subject-file.schema.json' with { type: 'json' };
import { type FileBytes, maxJsonBytes, readBytes } from '../content/file.ts';
import { subjectCodes, subjectLabels } from '../content/types.ts';
import { UserError } from '../release/user-error.ts';
import { placeholders } from '../rules/paper.ts';
import { html } from '../site/html.ts';
import { titleOf } from '../site/text.ts';
import type { LiveBank } from './bank.ts';
import type { PageParts } from './document.ts';
import { type Item, idsOf, isItem, listNames, newId, parsePaper, versionOf } from './edit.ts';
import { type PreviewedPlace, paperUrl } from './paper.ts';

/** What a form edits, as its page names it. */
const kinds = { question: 'questions', passage: 'passages' } as const;

/**
 * The page of a form: `?question=3`, `?passage=1`, `?question` for a new one, or no query for the details of the paper.
 *
 * @param path `EXAM/YEAR/SHIFT/SUBJECT`
 * @returns undefined if the content has no such paper, or the paper no such question
 */
export function editorPage(
  bank: LiveBank,
  path: string,
  query: URLSearchParams,
): PageParts | undefined {
  const papers = bank.content.shifts.flatMap((shift) => shift.papers);
  const place = papers.find((one) => one.path === `${path}.json`);
  if (!place) return undefined;
  const bytes = readBytes(join(bank.contentDir, place.path), maxJsonBytes);
  const back = paperUrl(place);
  const crumbs = html`<nav class="crumbs faint" aria-label="Breadcrumb"><a href="/">Papers</a> / <a href="${back}">${path}</a></nav>`;
  const paper = paperIn(bytes);
  if ('fault' in paper) {
    const main = html`<div class="lead">
${crumbs}
<h1>The paper cannot be edited here</h1>
<p class="reason">${paper.fault}</p>
</div>`;
    return { title: 'Editor', main };
  }
  const kind = Object.keys(kinds).find((one) => query.has(one)) as keyof typeof kinds | undefined;
  const list = kind && kinds[kind];
  const listed = (list && paper.value[list]) ?? [];
  const items: readonly unknown[] = Array.isArray(listed) ? listed : [];
  const written = kind ? query.get(kind) : undefined;
  const isNew = written === '';
  const index = isNew ? items.length : Number(written) - 1;
  const item = isNew ? newItem(list, items) : items[index];
  if (kind && !isItem(item)) return undefined;
  const title = kind
    ? `${isNew ? 'New' : 'Edit'} ${kind}${isNew ? '' : ` ${index + 1}`}`
    : 'Details';
  const exam = bank.exams.find(({ code }) => code === place.exam)?.content;
  const ofSubject = papers.filter(
    ({ subject, exam }) => subject === place.subject && exam === place.exam,
  );
  const topics =
    exam?.topics?.[place.subject] ??
    ofSubject.flatMap(({ path }) => bank.facts.get(path)?.topics ?? []);
  const questions = paper.value['questions'];
  const sections = (Array.isArray(questions) ? questions : []).map((one) => one?.section);
  const edit = {
    path: place.path,
    base: versionOf(bytes as Buffer),
    back,
    page: `/-/edit${back}`,
    kind: kind ? (isNew ? 'insert' : 'replace') : 'details',
    list,
    index,
    name: kind ?? 'paper',
    item: kind ? withoutPlaceholders(item as Item) : { ...paper.value, ...noLists },
    schema,
    diagrams: `${back.slice(0, back.lastIndexOf('/'))}/diagrams/`,
    known: {
      topic: [...new Set(topics)].sort(),
      section: [...new Set(sections)].filter((one) => typeof one === 'string'),
      passage: idsOf(Array.isArray(paper.value['passages']) ? paper.value['passages'] : []),
    },
  };
  const main = html`<div class="lead">
${crumbs}
<h1 tabindex="-1">${title}</h1>
</div>
<div class="columns editor">
<form id="form" novalidate></form>
${
  kind &&
  html`<section aria-labelledby="shown">
<h2 id="shown">What students see</h2>
<div id="rendered"></div>
</section>`
}
</div>`;
  return { title: `${title} · ${path}`, main, edit, isForm: true };

  function newItem(list: (typeof listNames)[number] | undefined, items: readonly unknown[]): Item {
    const ids = idsOf(items);
    if (list === 'passages')
      return { id: ids.length > 0 && place ? newId(ids, place) : 'p1', text: '' };
    const before = items.at(-1);
    const type = isItem(before) && typeof before['type'] === 'string' ? before['type'] : 'mcq';
    const options = type === 'mcq' || type === 'msq' ? emptyOptions() : [];
    return { id: place && newId(ids, place), type, question: '', options };
  }

  /** The question of a new paper is a text to replace: its form is empty. */
  function withoutPlaceholders(item: Item): Item {
    const { id, question } = item;
    const { exam, shift, subject } = place as PreviewedPlace;
    if (question !== placeholders.question(`${exam} ${shift} ${subject}`)) return item;
    return { id, type: 'mcq', question: '', options: emptyOptions() };
  }
}

const noLists = Object.fromEntries(listNames.map((name) => [name, undefined]));

function emptyOptions() {
  return ['A', 'B', 'C', 'D'].map((key) => ({ key }));
}

function paperIn(bytes: FileBytes) {
  if ('fault' in bytes) return bytes;
  try {
    return parsePaper(bytes);
  } catch (error) {
    if (error instanceof UserError) return { fault: error.message };
    throw error;
  }
}

/** The form of a new paper: its exam, subject, date and session. */
export function newPaperPage({ exams }: LiveBank): PageParts {
  const main = html`<div class="lead">
<nav class="crumbs faint" aria-label="Breadcrumb"><a href="/">Papers</a></nav>
<h1 tabindex="-1">New paper</h1>
${
  exams.length === 0 &&
  html`<p>The bank has no exam yet. Create one:
<code>npx pastpaper new exam neet physics chemistry --label NEET</code></p>`
}
</div>
<form id="form" class="card" novalidate></form>`;
  const known = exams.flatMap(({ code, content: exam }) => {
    if (!exam) return [];
    const labels = subjectLabels(exam);
    const subjects = subjectCodes(exam).map((subject) => [
      subject,
      labels.get(subject) ?? titleOf(subject),
    ]);
    return [{ code, label: exam.label, subjects }];
  });
  return { title: 'New paper', main, edit: { kind: 'paper', exams: known }, isForm: true };
}
