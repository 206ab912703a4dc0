import { readFile } from 'node:fs/promises';
import { Ajv2020, type AnySchema, type Options } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import formats from 'ajv-formats';
import { schemas } from './release/schemas.ts';

/**
 * Compiles the schemas of content files and of API resources to the source of a CommonJS module of validators. Loading
 * that takes a hundredth of the time. `validators.ts` describes its exports.
 */
export async function compileSchemas(): Promise<string> {
  const [exam, paper, exceptions] = await Promise.all(
    ['exam', 'subject-file', 'exceptions'].map(async (name): Promise<AnySchema> => {
      const file = new URL(`../content/schema/${name}.schema.json`, import.meta.url);
      return JSON.parse(await readFile(file, 'utf8'));
    }),
  );
  if (!exam || !paper || !exceptions) throw new Error('A schema is missing.');
  const files = { exam, paper, exceptions };
  const fileOptions = { discriminator: true, strictTypes: false };
  const description = { $id: 'description', components: { schemas } };
  const resources = Object.fromEntries(
    ['ExamYears', 'YearShifts', 'QuestionFile'].map((name) => [
      name,
      { $ref: `description#/components/schemas/${name}` },
    ]),
  );
  return [
    moduleSource('quickValidators', files, fileOptions),
    moduleSource('fullValidators', files, { ...fileOptions, allErrors: true, verbose: true }),
    moduleSource('resourceValidators', resources, { strict: false, schemas: [description] }),
  ].join('\n');
}

/** Source of one set of validators, in a function scope because all sets use the same names inside. */
function moduleSource(name: string, schemas: Readonly<Record<string, AnySchema>>, options: Options): string {
  const ajv = new Ajv2020({ ...options, code: { source: true, lines: true } });
  formats.default(ajv);
  for (const [key, schema] of Object.entries(schemas)) ajv.addSchema(schema, key);
  const names = Object.fromEntries(Object.keys(schemas).map((key) => [key, key]));
  return `exports.${name} = (() => { const exports = {}; const module = { exports };
${standalone.default(ajv, names)}
return exports; })();`;
}
