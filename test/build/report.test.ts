import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Range, Source } from '../../build/content/positions.ts';
import {
  type Files,
  makeFolderOf,
  paperOf,
  paperPath,
  sampleExam,
  sampleQuestions,
  shiftPath,
} from './bank-folder.ts';
import { runCommand } from './command.ts';
import { png } from './image-bytes.ts';
import { valuesOf } from './json-pointer.ts';
import { anyCharacter } from './report/sample-report.ts';

const strayDiagram = 'neet/2024/2024-05-04-s1/diagrams/q5.png';

const { mcq } = sampleQuestions;

/** A bank with a different problem in each file. */
const invalidFiles: Files = {
  'neet/exam.json': sampleExam,
  [paperPath]: paperOf({ ...mcq, answer: 'C' }, mcq),
  'neet/2024/2024-05-04-s1/physics.json': paperOf({
    ...mcq,
    id: 'q0',
    question: 'Which is a unit of mass?',
  }),
  [`${shiftPath}/history.json`]: paperOf({
    ...mcq,
    id: 'q9',
    question: 'Which is a unit of time?',
  }),
  [strayDiagram]: png(2, 2),
  [`${shiftPath}/biology.json`]:
    '{\n  "lastUpdated": "2024-06-01T10:00:00Z",\n  "questons": [],\n  "questions": [7]\n}\n',
  [`${shiftPath}/chemistry.json`]:
    '{\n  "lastUpdated": "2024-06-01T10:00:00Z"\n  "questions": []\n}\n',
};

it('A report as JSON has the documented fields in order, on one line', async () => {
  const { dir } = await makeFolderOf(invalidFiles);
  const { status, stdout, stderr } = await runCommand(['validate', '--format', 'json'], {
    CONTENT_DIR: dir,
  });
  assert.equal(status, 1);
  assert.equal(stderr, '');
  /** @param at line, column, last line, end column */
  const problem = (
    rule: string,
    at: number[],
    file: string,
    pointer: string,
    message: string,
    rest: object = {},
  ) => {
    const [line, column, endLine, endColumn] = at;
    const severity = rule === 'unused-diagram' ? 'warning' : 'error';
    return { rule, severity, message, file, line, column, endLine, endColumn, pointer, ...rest };
  };
  const listed = {
    file: 'neet/exam.json',
    line: 3,
    column: 15,
    message: 'The subjects are listed here.',
  };
  const options = { file: paperPath, line: 8, column: 18, message: 'The options are here.' };
  const first = { file: paperPath, line: 5, column: 13, message: 'First occurrence.' };
  const unused =
    'No question of this shift uses this diagram. Add it to a question, or remove the file.';
  const known = 'Known properties: $schema, lastUpdated, marking, passages, questions.';
  const braces = 'Write this in braces, with a name before each value: { "...": ... }.';
  const subject =
    '"history" is not a subject of NEET. Its subjects are physics, chemistry, biology.';
  const answer = '"C" is not the key of an option. The options are A, B.';
  const twice = 'The id "q1" is used twice. Give every question its own id.';
  const expected = {
    diagnostics: [
      problem('unused-diagram', [1, 1, 1, 1], strayDiagram, '', unused),
      problem(
        'schema',
        [3, 3, 3, 13],
        `${shiftPath}/biology.json`,
        '/questons',
        `Unknown property "questons". ${known}`,
        { suggestion: 'questions' },
      ),
      problem('schema', [4, 17, 4, 18], `${shiftPath}/biology.json`, '/questions/0', braces),
      problem(
        'syntax',
        [3, 3, 3, 14],
        `${shiftPath}/chemistry.json`,
        '',
        'Put a comma between two items.',
      ),
      problem('subject-allowed', [1, 1, 23, 2], `${shiftPath}/history.json`, '', subject, {
        related: [listed],
      }),
      problem('answer-among-options', [18, 17, 18, 20], paperPath, '/questions/0/answer', answer, {
        related: [options],
      }),
      problem('unique-ids', [23, 13, 23, 17], paperPath, '/questions/1/id', twice, {
        related: [first],
      }),
    ],
    summary: { files: 6, questions: 5, errors: 6, warnings: 1 },
  };
  assert.deepEqual(JSON.parse(stdout), expected);
  assert.equal(stdout, `${JSON.stringify(expected)}\n`);
});

describe('The place of a JSON pointer in a text', () => {
  // Names that JSON pointers escape (RFC 6901, 3) are too rare in random strings.
  const key = fc.oneof(
    fc.string(),
    fc.constantFrom('', '/', '~', 'a/b', 'a~b', '~1', '~0', '~01', '0', '__proto__'),
  );
  const values = fc.oneof(
    fc.jsonValue(),
    fc.object({ key, maxDepth: 4, withNullPrototype: false }),
  );

  it('is correct for every value and every name, in any formatting', () => {
    fc.assert(
      fc.property(values, fc.constantFrom('', ' ', '\t'), fc.boolean(), (json, indent, crlf) => {
        const laidOut = JSON.stringify(json, undefined, indent);
        const text = crlf ? laidOut.replaceAll('\n', '\r\n') : laidOut;
        const source = new Source(text);
        for (const [pointer, value, name] of valuesOf(JSON.parse(text))) {
          assert.deepEqual(JSON.parse(textAt(text, source.valueRange(pointer))), value);
          if (name !== undefined)
            assert.equal(JSON.parse(textAt(text, source.valueRange(pointer, 'name'))), name);
        }
      }),
    );
  });

  it('is correct for every part of a string, with any escapes', () => {
    const characters = fc.array(
      fc.tuple(fc.string({ unit: anyCharacter, minLength: 1, maxLength: 2 }), fc.boolean()),
    );
    fc.assert(
      fc.property(characters, characters, characters, (before, within, after) => {
        const [start, middle, end] = [before, within, after].map(written);
        const source = new Source(`{"a": "${start?.json}${middle?.json}${end?.json}"}`);
        const from = start?.value.length ?? 0;
        const range = source.valueRange('/a', {
          start: from,
          end: from + (middle?.value.length ?? 0),
        });
        assert.deepEqual(
          [range.column, range.endColumn],
          [
            8 + (start?.json.length ?? 0),
            8 + (start?.json.length ?? 0) + (middle?.json.length ?? 0),
          ],
        );
      }),
    );
  });

  it('is the closest existing parent if the pointer names nothing', () => {
    const text = '{"a": [1, {"b": 2}]}';
    assert.equal(textAt(text, new Source(text).valueRange('/a/1/c/d')), '{"b": 2}');
    assert.equal(textAt(text, new Source(text).valueRange('/x')), text);
  });

  it('is the whole text if the nesting is too deep to parse', () => {
    const text = `${'['.repeat(100_000)}7${']'.repeat(100_000)}`;
    assert.equal(textAt(text, new Source(text).valueRange('/0/0')), text);
  });

  it('is within the text if it is not JSON', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'{}[]",:\\a1 \n') }),
        fc.string(),
        (text, pointer) => {
          const { line, column } = new Source(text).valueRange(pointer);
          assert.ok(line >= 1 && line <= text.split('\n').length && column >= 1);
        },
      ),
    );
  });
});

/** A piece of a JSON string, some of its UTF-16 units as `\\u` escapes. */
function written(characters: readonly (readonly [string, boolean])[]): {
  json: string;
  value: string;
} {
  const json = characters.map(([text, isEscaped]) =>
    isEscaped
      ? [...text]
          .flatMap((character) => character.split(''))
          .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
          .join('')
      : JSON.stringify(text).slice(1, -1),
  );
  return { json: json.join(''), value: JSON.parse(`"${json.join('')}"`) };
}

function textAt(text: string, { line, column, endLine, endColumn }: Range): string {
  const lines = text.split('\n').slice(line - 1, endLine);
  lines[lines.length - 1] = lines.at(-1)?.slice(0, endColumn - 1) ?? '';
  lines[0] = lines[0]?.slice(column - 1) ?? '';
  return lines.join('\n');
}
