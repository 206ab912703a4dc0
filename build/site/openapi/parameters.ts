import type { CompiledExam } from '../../compile/compile.ts';
import { crossOriginFields } from '../../release/headers.ts';
import type { Example as Paper } from '../example.ts';
import { inventedDrawing } from './invented-paper.ts';
import type { Example, Parameter } from './openapi.ts';
import { shiftParameter } from './prose.ts';

/** The parameters of the paths, with examples from the bank, and those in header fields. */
export function parametersOf(exams: readonly CompiledExam[], paper: Paper): Record<string, Parameter> {
  const [, year = ''] = paper.year.split('/');
  const subjects = [...new Set(exams.flatMap(subjectsOf))];
  return {
    exam: inPath('exam', 'The exam code alone, not combined with a year.', '^[a-z][a-z0-9]*$', {
      ...Object.fromEntries(exams.map(({ resource: { exam, label } }) => [exam, example(label, exam)])),
    }),
    year: {
      name: 'year',
      in: 'path',
      description: 'The year, four digits.',
      required: true,
      schema: { type: 'integer', minimum: 1000, maximum: 9999 },
      examples: { year: example('A year that the bank has', Number(year)) },
    },
    shift: inPath('shift', shiftParameter, '^.+$', {
      ordinal: example('The first shift of the year', 's1'),
      full: example('The full name', paper.shift),
      day: example('The first shift of a day', paper.shift.slice(5, 10)),
    }),
    file: inPath(
      'file',
      'The name of a subject file: the subject, and `.json`. `GET /{exam}/{year}` lists the subjects of each shift.',
      '^[a-z][a-z0-9-]*\\.json$',
      Object.fromEntries(
        subjects.map((subject) => [subject, example(`The questions of ${subject}`, `${subject}.json`)]),
      ),
    ),
    filename: inPath(
      'filename',
      'The name of an image file, as `diagrams[].file` of a question has it. It contains the id of its question.',
      '^[A-Za-z0-9][A-Za-z0-9._-]*\\.(png|jpg|jpeg|webp|gif|avif|svg)$',
      { invented: example('An invented name', inventedDrawing) },
    ),
    ifNoneMatch: inHeader(
      'If-None-Match',
      'The `ETag` of an answer that you have: if it is current still, the answer is a bare 304.',
      { required: false, examples: { tag: example('A tag', '"0123456789abcdef0123456789abcdef"') } },
    ),
    origin: inHeader('Origin', 'The origin of the page that the script runs in.', {
      required: true,
      examples: { origin: example('An origin', 'https://app.example.org') },
    }),
    requestMethod: inHeader('Access-Control-Request-Method', 'The method that the script wants to use.', {
      required: true,
      examples: { get: example('The one that is allowed', crossOriginFields.methods) },
    }),
    requestFields: inHeader(
      'Access-Control-Request-Headers',
      'The header fields that the script wants to send.',
      { required: false, examples: { key: example('The field of the key', 'authorization') } },
    ),
  };
}

function inPath(
  name: string,
  description: string,
  pattern: string,
  examples: Readonly<Record<string, Example>>,
): Parameter {
  return { name, in: 'path', description, required: true, schema: { type: 'string', pattern }, examples };
}

function inHeader(
  name: string,
  description: string,
  about: Pick<Parameter, 'required' | 'examples'>,
): Parameter {
  return { name, in: 'header', description, schema: { type: 'string' }, ...about };
}

function example(summary: string, value: unknown): Example {
  return { summary, value };
}

function subjectsOf({ years }: CompiledExam): string[] {
  return years.flatMap(({ resource }) => resource.shifts.flatMap(({ subjects }) => subjects));
}
