/** The form of a new paper. */
import { create } from '../../site/browser/elements.ts';
import { send } from './send.ts';

export interface PaperForm {
  readonly kind: 'paper';
  readonly token: string;
  readonly exams: readonly {
    readonly code: string;
    readonly label: string;
    readonly subjects: readonly (readonly [string, string])[];
  }[];
}

/** Makes the form, which creates the file and goes to the first question. @param showState shows a sentence */
export function showPaperForm(
  form: HTMLFormElement,
  { token, exams }: PaperForm,
  showState: (text: string) => void,
): void {
  const exam = create('select', { id: 'exam' });
  exam.append(...exams.map(({ code, label }) => create('option', { value: code }, label)));
  const subject = create('select', { id: 'subject' });
  const date = create('input', { type: 'date', id: 'date', required: true });
  const session = create('input', { type: 'number', id: 'session', min: '1', value: '1' });
  const labelled = (label: string, control: HTMLElement) =>
    create('div', { className: 'field' }, create('label', { htmlFor: control.id }, label), control);
  const showSubjects = () => {
    const { subjects = [] } = exams.find(({ code }) => code === exam.value) ?? {};
    subject.replaceChildren(
      ...subjects.map(([code, label]) => create('option', { value: code }, label)),
    );
  };
  const failure = create('p', { className: 'message bad', role: 'alert' });
  const submit = create('button', { type: 'submit', className: 'button primary' }, 'Create paper');
  form.append(
    labelled('Exam', exam),
    labelled('Subject', subject),
    labelled('Date of the exam', date),
    labelled('Session of that day', session),
    failure,
    create('div', { className: 'actions' }, submit),
  );
  exam.addEventListener('change', showSubjects);
  showSubjects();
  showState('');
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (date.value === '') {
      failure.textContent = 'Choose the date of the exam.';
      return void date.focus();
    }
    const year = date.value.slice(0, 4);
    const shift = `${date.value}-s${session.value}`;
    const place = { exam: exam.value, year, shift, subject: subject.value };
    const { status, body } = await send(token, 'paper', place);
    if (status === 200) location.assign(String(body['url']));
    else failure.textContent = body.error;
  });
}
