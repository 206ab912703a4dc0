/** Rules on the forms of exams and shifts. */
import { mostEffort, nearest } from '../command-line/nearest.js';
import { groupBy } from '../content/groups.ts';
import { type Exam, type PaperPlace, type ShiftPlace, subjectCodes } from '../content/types.ts';
import type { ShiftFile } from '../content/written.ts';
import type { ExamForm } from '../release/resources.ts';
import { markingProblems } from './paper.ts';
import { type Finding, firstOccurrence, quote, type Rule, repetitions } from './rule.ts';

export interface FormFacts {
  readonly exams: readonly Exam[];
  readonly papers: readonly (PaperPlace & {
    readonly path: string;
    /** Each section that its questions print, and the first question of it. */
    readonly sections: readonly { readonly name: string; readonly index: number }[];
  })[];
  readonly shifts: readonly (ShiftPlace & {
    readonly details:
      | { readonly path: string; readonly content: ShiftFile | undefined }
      | undefined;
  })[];
}

export const formRule: Rule<FormFacts> = {
  name: 'form',
  description:
    'The sections of a form have subjects of the exam and names of their own, and their marks add up to the total.',
  severity: 'error',
  example: {
    wrong: '"totalMarks": 300, "sections": [{ ..., "attempt": 20, "marking": { "correct": 4 } }]',
    right: '"totalMarks": 80, "sections": [{ ..., "attempt": 20, "marking": { "correct": 4 } }]',
  },
  *check({ exams, shifts }) {
    const byExam = groupBy(shifts, ({ exam }) => exam);
    for (const { code, path, content } of exams) {
      const ofShifts = (byExam.get(code) ?? []).flatMap(({ details }) => details ?? []);
      for (const file of [{ path, content }, ...ofShifts]) {
        if (!content || !file.content?.form) continue;
        const { path } = file;
        for (const { related, ...finding } of ofForm(file.content.form, subjectCodes(content)))
          yield { path, ...finding, related: related?.map((place) => ({ path, ...place })) };
      }
    }
  },
};

function* ofForm(
  { totalMarks, sections }: ExamForm,
  subjects: readonly string[],
): Generator<Finding> {
  const effort = { left: mostEffort };
  for (const [index, { subject, questions, attempt, marking }] of sections.entries()) {
    const at = `/form/sections/${index}`;
    if (!subjects.includes(subject)) {
      const message = `${quote(subject)} is not a subject of this exam. Its subjects are ${subjects.join(', ')}.`;
      yield { pointer: `${at}/subject`, message, suggestion: nearest(subject, subjects, effort) };
    }
    if (attempt > questions) {
      const message = `Candidates cannot attempt ${attempt} of ${questions} questions. Correct one of the numbers.`;
      yield { pointer: `${at}/attempt`, message };
    }
    if (marking) yield* markingProblems(marking, `${at}/marking`);
  }
  for (const { first, again } of repetitions(
    sections.entries(),
    ([, { name, subject }]) => `${subject}\n${name}`,
  )) {
    const [index, { name, subject }] = again;
    const message = `Two sections of ${subject} are called ${quote(name)}. Give each its own name.`;
    const related = [firstOccurrence(`/form/sections/${first[0]}/name`)];
    yield { pointer: `/form/sections/${index}/name`, message, related };
  }
  const marks = sections.map(({ attempt, marking }) => attempt * (marking?.correct ?? Number.NaN));
  // Marks may be fractions, which add up to nearly the total. Unknown ones are NaN.
  const sum = Number(marks.reduce((total, one) => total + one, 0).toFixed(6));
  if (!Number.isNaN(sum) && sum !== totalMarks) {
    const message = `The sections have ${sum} marks together. Correct this number, or the sections.`;
    yield { pointer: '/form/totalMarks', message, suggestion: String(sum) };
  }
}

export const formSection: Rule<FormFacts> = {
  name: 'form-section',
  description:
    'The section of a question is a section of its subject in the form of the exam, if that has sections of the subject.',
  severity: 'error',
  example: {
    wrong: '"section": "SECTION A", and in exam.json "name": "Section A"',
    right: '"section": "Section A"',
  },
  *check({ exams, papers, shifts }) {
    const forms = new Map(
      exams.map(({ code, path, content }) => [code, { path, form: content?.form }]),
    );
    const details = new Map(shifts.map((shift) => [`${shift.exam}/${shift.shift}`, shift.details]));
    const effort = { left: mostEffort };
    for (const { path, exam, shift, subject, sections } of papers) {
      const own = details.get(`${exam}/${shift}`);
      const placed = own?.content?.form
        ? { path: own.path, form: own.content.form }
        : forms.get(exam);
      const known =
        placed?.form?.sections.filter((one) => one.subject === subject).map(({ name }) => name) ??
        [];
      if (!placed || known.length === 0) continue;
      for (const { name, index } of sections) {
        if (known.includes(name)) continue;
        const message = `The form of the exam has no section ${quote(name)} of ${subject}. It has ${known.map(quote).join(', ')}.`;
        const related = [
          {
            path: placed.path,
            pointer: '/form/sections',
            message: 'The sections are listed here.',
          },
        ];
        const suggestion = nearest(name, known, effort);
        yield { path, pointer: `/questions/${index}/section`, message, suggestion, related };
      }
    }
  },
};
