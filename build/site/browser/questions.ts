/** The script of the page of an exam: lists the questions of a topic in some years. */
import type { IndexedQuestion, QuestionIndex } from '../../release/resources.ts';
import { count, formatNumber } from '../../report/wording.ts';
import { samplesUrl } from '../text.ts';
import { create, element, setText, show, within } from './elements.ts';

/** Questions that are listed: more are slow to show. */
const maxRows = 500;

const form = element('find', HTMLFormElement);
const { exam = '', samples = '' } = form.dataset;
const [topic, from, to] = ['topic', 'from', 'to'].map((id) => element(id, HTMLSelectElement)) as [
  HTMLSelectElement,
  HTMLSelectElement,
  HTMLSelectElement,
];
/** The questions of each year, once they are loaded. */
const loaded = new Map<string, Promise<readonly IndexedQuestion[]>>();

form.addEventListener('change', find);
const asked = new URLSearchParams(location.search).get('topic');
if (asked !== null) topic.value = asked;
void find();

function questionsOf(year: string): Promise<readonly IndexedQuestion[]> {
  const found =
    loaded.get(year) ??
    fetch(`/${exam}/${year}/questions.json`)
      .then((response): Promise<QuestionIndex> => {
        if (!response.ok) throw new Error(response.statusText);
        return response.json();
      })
      .then(({ questions }) => questions);
  loaded.set(year, found);
  found.catch(() => loaded.delete(year));
  return found;
}

async function find(): Promise<void> {
  const { value } = topic;
  const [subject = '', ...rest] = value.split('/');
  if (value === '') return;
  const years = [...from.options]
    .map((option) => option.value)
    .filter((year) => year >= from.value && year <= to.value);
  const name = rest.join('/');
  const all = await Promise.all(years.map(questionsOf)).catch(() => undefined);
  if (topic.value !== value) return;
  const found = all
    ?.flat()
    .filter((question) => question.subject === subject && question.topic === name);
  show('found', found !== undefined && found.length > 0);
  setText('found-count', found ? sentence(found.length) : 'No response. Try again in a moment.');
  const [ofExam, ofSubject, ofTopic] = [exam, subject, name].map((one) => JSON.stringify(one));
  const call = `await bank.select({ exam: ${ofExam}, years: [${years.join(', ')}], subject: ${ofSubject}, topic: ${ofTopic} })`;
  element('found-code').replaceChildren(create('pre', { tabIndex: 0 }, create('code', {}, call)));
  within(element('found'), 'tbody').replaceChildren(...(found ?? []).slice(0, maxRows).map(rowOf));
}

function sentence(total: number): string {
  const found = `${count(total, 'question')}.`;
  return total > maxRows ? `${found} The first ${formatNumber(maxRows)} are listed.` : found;
}

function rowOf({ id, shift, subject, number, type, difficulty }: IndexedQuestion): HTMLElement {
  const path = `${exam}/${shift.slice(0, 4)}/${shift}/${subject}`;
  const place = samples.split(' ').includes(path)
    ? create('a', { href: `${samplesUrl}${path}/` }, shift)
    : shift;
  const cells = Object.entries({
    Shift: place,
    Number: number ?? '',
    Type: type,
    Difficulty: difficulty,
  });
  return create(
    'tr',
    {},
    create('th', { scope: 'row' }, create('code', {}, id)),
    ...cells.map(([name, content]) => {
      const cell = create('td', { className: 'text' }, content);
      cell.dataset['name'] = name;
      return cell;
    }),
  );
}
