import { readFile } from 'node:fs/promises';
import { Ajv2020, type AnySchema, type Options } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import formats from 'ajv-formats';
import { schemas as resources } from './release/schemas.ts';

/**
 * Compiles the schemas of the content and of the API's resources to validators, as the source of a CommonJS module.
 * Loading it takes a hundredth of the time that compiling them does. See `validators.ts` for its exports.
 */
export async function compiledSchemas(): Promise<string> {
  const [exam, paper, exceptions] = await Promise.all(
    ['exam', 'subject-file', 'exceptions'].map(async (name): Promise<AnySchema> => {
      const file = new URL(`../content/schema/${name}.schema.json`, import.meta.url);
      return JSON.parse(await readFile(file, 'utf8'));
    }),
  );
  if (!exam || !paper || !exceptions) throw new Error('A schema is missing.');
  const ofFiles = { discriminator: true, strictTypes: false };
  const files = { exam, paper, exceptions };
  const description = { $id: 'description', components: { schemas: resources } };
  const ofResources = Object.fromEntries(
    ['ExamYears', 'YearShifts', 'QuestionFile'].map((name) => [
      name,
      { $ref: `description#/components/schemas/${name}` },
    ]),
  );
  return [
    moduleOf('accepts', files, ofFiles),
    moduleOf('mistakes', files, { ...ofFiles, allErrors: true, verbose: true }),
    moduleOf('resources', ofResources, { strict: false, schemas: [description] }),
  ].join('\n');
}

/** One set of validators, in a scope of its own: two sets use the same names inside. */
function moduleOf(name: string, schemas: Readonly<Record<string, AnySchema>>, options: Options): string {
  const ajv = new Ajv2020({ ...options, code: { source: true, lines: true } });
  formats.default(ajv);
  for (const [key, schema] of Object.entries(schemas)) ajv.addSchema(schema, key);
  const names = Object.fromEntries(Object.keys(schemas).map((key) => [key, key]));
  return `exports.${name} = (() => { const exports = {}; const module = { exports };
${standalone.default(ajv, names)}
return exports; })();`;
}
