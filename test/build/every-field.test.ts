/** A field of the schemas of content files passes through everything that knows fields. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { withSharedPassages } from '../../build/content/question.ts';
import type { SubjectFile } from '../../build/content/written.ts';
import { compareContent } from '../../build/diff/compare.ts';
import { readSide } from '../../build/diff/sides.ts';
import { moodleXml, unknownToMoodle } from '../../build/exchange/moodle.ts';
import { qtiPackage, unknownToQti } from '../../build/exchange/qti.ts';
import { qti12Package, unknownToQti12 } from '../../build/exchange/qti12.ts';
import { exportedQuestions } from '../../build/exchange/render.ts';
import { defaultBank } from '../../build/release/config.ts';
import { type Description, describeApi } from '../../build/site/openapi/openapi.ts';
import { endpointSection } from '../../build/site/reference/endpoint.ts';
import { examPath, paperPath, shiftPath } from './bank-folder.ts';
import { canonicalJson, checksum } from './canonical-json.ts';
import { compileFiles, received } from './compiled-bank.ts';
import { snapshot } from './diff/snapshots.ts';
import { everyFieldFiles, hindiPath } from './every-field.ts';
import { valuesOf, withValue } from './json-pointer.ts';

interface Schema {
  readonly $ref?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

const schemas = new Map<string, Schema>();
for (const name of ['subject-file', 'translation', 'exam', 'shift']) {
  const file = new URL(`../../content/schema/${name}.schema.json`, import.meta.url);
  schemas.set(name, JSON.parse(await readFile(file, 'utf8')));
}

/** The fields that a schema describes, as JSON pointers with 0 for any item: `/questions/0/options/0/key`. */
function* fieldsIn(name: string, schema: Schema, at = ''): Generator<string> {
  const { $ref, items, properties = {} } = schema;
  if ($ref !== undefined) {
    const [, file = name, definition = ''] =
      /^(?:([a-z-]+)\.schema\.json)?#\/\$defs\/(\w+)$/.exec($ref) ?? [];
    const found = schemas.get(file)?.$defs?.[definition] ?? assert.fail($ref);
    yield* fieldsIn(file, found, at);
  }
  if (items) yield* fieldsIn(name, items, `${at}/0`);
  for (const [field, inner] of Object.entries(properties)) {
    yield `${at}/${field}`;
    yield* fieldsIn(name, inner, `${at}/${field}`);
  }
}

/** The field that a pointer points to, as `fieldsIn` writes it. */
function fieldAt(pointer: string): string {
  return pointer.replace(/\/\d+(?=\/|$)/g, '/0');
}

function fieldsOfValue(value: unknown): Set<string> {
  return new Set(Array.from(valuesOf(value), ([pointer]) => fieldAt(pointer)));
}

/** Of each schema: files that have all of its fields, and those that are not served under their name. */
const kinds: readonly (readonly [schema: string, paths: readonly string[], others: RegExp])[] = [
  ['subject-file', [paperPath], /^\/(\$schema|lastUpdated)$/],
  ['translation', [hindiPath], /^\/(\$schema|lastUpdated)$/],
  ['exam', [examPath], /^\/(\$schema|subjects.*|topics.*)$/],
  ['shift', [`${shiftPath}/shift.json`, 'neet/2024/2024-06-01-s1/shift.json'], /^\/\$schema$/],
];

/** Texts, numbers and `true` of the files of a kind, with their pointers, as far as they are served. */
function servedValues(paths: readonly string[], others: RegExp) {
  return paths.flatMap((path) =>
    [...valuesOf(everyFieldFiles[path])]
      .filter(([pointer, value]) => typeof value !== 'object' && !others.test(pointer))
      .map(([pointer, value]) => ({ path, pointer, value })),
  );
}

const { exams, files } = await compileFiles(everyFieldFiles);
const exam = exams[0]?.resource ?? assert.fail();
const year = received(exams[0]?.years[0]?.resource ?? assert.fail());
const [first, second] = year.shifts;
const fileOf = (language?: string) =>
  files.find((file) => file.subject === 'physics' && file.language === language);

/** What the API serves of each content file. */
const served = new Map<string, unknown>([
  [paperPath, fileOf()],
  [hindiPath, fileOf('hi')],
  [examPath, received(exam)],
  [`${shiftPath}/shift.json`, first],
  ['neet/2024/2024-06-01-s1/shift.json', second],
]);

describe('Each field', () => {
  for (const [name, paths, others] of kinds) {
    const inSchema = [...new Set(fieldsIn(name, schemas.get(name) ?? assert.fail()))];
    const values = servedValues(paths, others);

    it(`of the schema of ${name} files is in the bank with every field`, () => {
      const inFiles = new Set(paths.flatMap((path) => [...fieldsOfValue(everyFieldFiles[path])]));
      assert.deepEqual(
        inSchema.filter((field) => field !== '/$schema' && !inFiles.has(field)),
        [],
      );
    });

    it(`of ${name} files is served as written`, () => {
      for (const { path, pointer, value } of values) {
        const [, found] = [...valuesOf(served.get(path))].find(([at]) => at === pointer) ?? [];
        assert.equal(found, value, `${path} ${pointer}`);
      }
    });

    it(`of ${name} files is in the diff when it changes`, async () => {
      const before = await readSide(snapshot(everyFieldFiles, ''));
      for (const { path, pointer, value } of values) {
        const other = typeof value === 'number' ? value + 1 : `${value}x`;
        const changed = withValue(everyFieldFiles[path], pointer, other) as object;
        const after = await readSide(snapshot({ ...everyFieldFiles, [path]: changed }, ''));
        const found = compareContent(before, after).filter(
          ({ title }) => title !== 'Files with a wrong lastUpdated',
        );
        assert.ok(found.length > 0, `${path} ${pointer}`);
      }
    });
  }

  it('is covered by the checksums of question files and passages', () => {
    for (const { questions, passages = [], metadata } of files) {
      assert.equal(metadata.checksum, checksum(canonicalJson(questions)));
      for (const { passage, passageChecksum } of questions) {
        const found = passages.find(({ id }) => id === passage);
        assert.equal(passageChecksum, found && checksum(canonicalJson(found)));
      }
    }
  });

  it('is described in the API reference and the OpenAPI description', () => {
    const description: Description = received(describeApi(defaultBank, exams));
    const endpoints: readonly (readonly [path: string, value: unknown])[] = [
      ['/{exam}', received(exam)],
      ['/{exam}/{year}', year],
      ...files.map((file) => ['/{exam}/{year}/{shift}/{file}', file] as const),
    ];
    for (const [path, value] of endpoints) {
      const item = Object.entries(description.paths).find(([one]) => one === path)?.[1];
      assert.ok(item, path);
      const { text } = endpointSection(description, path, item);
      // The names of subjects are no fields.
      for (const field of fieldsOfValue(value)) {
        const name = field.replaceAll('/0', '').replaceAll('/', '.');
        if (name === '' || name.startsWith('.subjectLabels.')) continue;
        const place = text.indexOf(`<code id="${item.get.operationId}${name}">`);
        assert.ok(place > 0, `${path} ${field}`);
        assert.doesNotMatch(text.slice(place, text.indexOf('</p>', place)), /<p>$/, field);
      }
    }
  });

  const formats = [
    ['Moodle', unknownToMoodle, moodleXml],
    ['QTI', unknownToQti, qtiPackage],
    ['QTI 1.2', unknownToQti12, qti12Package],
  ] as const;
  for (const [format, unknown, write] of formats) {
    it(`of a question is exported to ${format}, or reported as lost`, () => {
      const { marking, ...paper } = everyFieldFiles[paperPath] as SubjectFile;
      const bytes = (file: string) =>
        Buffer.from(everyFieldFiles[`${shiftPath}/diagrams/${file}`] as Uint8Array);
      const exported = (one: SubjectFile) => {
        const whole = withSharedPassages(one, one.questions, () => undefined);
        const questions = exportedQuestions(whole, unknown);
        return [
          String(write(questions, bytes)),
          ...questions.map(({ losses }) => [...losses].join()),
        ];
      };
      const before = exported(paper);
      const names = new Set<string>();
      const kept = new Set<string>();
      for (const [pointer] of valuesOf(paper)) {
        const [, name] = /^\/questions\/\d+\/(\w+)$/.exec(pointer) ?? [];
        // Every question has the first ones, and dropped questions are not exported.
        if (name === undefined || /^(id|type|question|options|answer|dropped)$/.test(name))
          continue;
        names.add(name);
        const after = exported(withValue(paper, pointer, undefined) as SubjectFile);
        if (!isDeepStrictEqual(after, before)) kept.add(name);
      }
      assert.deepEqual(kept, names);
    });
  }
});
