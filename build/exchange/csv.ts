/** Reads questions from CSV: a header with the names of fields, then a question in each row. */
import { CsvError, parse } from 'csv-parse/sync';
import bounds from '../content/bounds.json' with { type: 'json' };
import { UserError } from '../release/user-error.ts';
import { type Item, keyOf, writtenFields } from './item.ts';
import { normalized } from './source.ts';

const columns = new Set([
  ...writtenFields,
  ...'question type answer solution correct incorrect'.split(' '),
]);

/** The names of option columns: `A`, `option A`, `option 1`. */
const optionColumn = /^(?:option[\s_-]*)?([a-z])$|^option[\s_-]*(\d{1,2})$/;

/** Reads the questions of a CSV file. Cells are texts of the content format. @throws UserError if it is no such file */
export function csvItems(text: string): Item[] {
  const [head = ''] = text.split('\n', 1);
  const delimiter =
    [',', ';', '\t'].toSorted((a, b) => head.split(b).length - head.split(a).length)[0] ?? ',';
  const nameColumns = (names: string[]) => names.map((name) => name.trim().toLowerCase());
  const shape = {
    columns: nameColumns,
    delimiter,
    bom: true,
    trim: true,
    max_record_size: 1_000_000,
  };
  const rows = { skip_empty_lines: true, relax_column_count: true, to: bounds.importQuestions + 1 };
  const settings = { ...shape, ...rows };
  try {
    const rows: Record<string, string>[] = parse(normalized(text), settings);
    if (rows[0]?.['question'] === undefined || rows[0]['answer'] === undefined)
      throw new UserError(
        'The first line must name the columns. The columns "question" and "answer" are required.',
      );
    return rows.map((row, index) => itemOf(new Map(Object.entries(row)), index));
  } catch (error) {
    throw error instanceof CsvError
      ? new UserError(`This is not valid CSV: ${error.message}.`)
      : error;
  }
}

function itemOf(row: ReadonlyMap<string, string>, index: number): Item {
  const cell = (name: string) => row.get(name)?.replace(/\r\n?/g, '\n') ?? '';
  const number = (name: string) => Number(cell(name));
  const written = [...row.keys()].flatMap((name) => {
    const [, letter, position] = optionColumn.exec(name) ?? [];
    const key = letter?.toUpperCase() ?? (position && keyOf(Number(position) - 1));
    return key !== undefined && cell(name) !== '' ? [{ key, text: cell(name) }] : [];
  });
  const value = cell('answer');
  const correct = answersOf(value, written);
  const own = Number.isFinite(Number(value)) ? 'numerical' : 'text';
  const chosen = correct.length > 1 ? 'msq' : 'mcq';
  const others = [...row.keys()].filter(
    (name) => !columns.has(name) && !optionColumn.test(name) && cell(name) !== '',
  );
  return {
    name: `Row ${index + 1}`,
    type: cell('type').toLowerCase() || (written.length > 0 ? chosen : own),
    text: cell('question'),
    options: written.map(({ key, text }) => ({ text, isCorrect: correct.includes(key) })),
    answers: [{ value }],
    solution: cell('solution'),
    marking:
      number('correct') > 0
        ? { correct: number('correct'), incorrect: number('incorrect') || 0 }
        : undefined,
    fields: {
      ...Object.fromEntries(writtenFields.map((name) => [name, cell(name)])),
      difficulty: cell('difficulty').toLowerCase(),
    },
    losses: others.map((name) => `columns: ${name}`),
  };
}

/** The keys of the correct options: letters, or the text of one option. */
function answersOf(
  answer: string,
  options: readonly { readonly key: string; readonly text: string }[],
): string[] {
  const letters = answer.toUpperCase().split(/[\s,;]*/);
  if (letters.every((letter) => options.some(({ key }) => key === letter))) return letters;
  return options.filter(({ text }) => text === answer).map(({ key }) => key);
}
