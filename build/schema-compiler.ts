import { Ajv2020, type AnySchema, type Options } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import formats from 'ajv-formats';
import config from '../content/schema/config.schema.json' with { type: 'json' };
import exam from '../content/schema/exam.schema.json' with { type: 'json' };
import exceptions from '../content/schema/exceptions.schema.json' with { type: 'json' };
import shift from '../content/schema/shift.schema.json' with { type: 'json' };
import paper from '../content/schema/subject-file.schema.json' with { type: 'json' };
import translation from '../content/schema/translation.schema.json' with { type: 'json' };
import mirror from './pull/mirror.json' with { type: 'json' };
import { type ResourceName, resourceNames, schemas, withPatterns } from './release/schemas.ts';

/**
 * Compiles the schemas of content files to the source of a CommonJS module of validators. Loading that takes a hundredth
 * of the time. `validators.ts` describes its exports.
 */
export function compileSchemas(): string {
  const files = { exam, shift, paper, translation, exceptions, config };
  const fileOptions = { discriminator: true, strictTypes: false };
  return [
    moduleSource('quickValidators', files, fileOptions),
    moduleSource('fullValidators', files, { ...fileOptions, allErrors: true, verbose: true }),
  ].join('\n');
}

/** Compiles the schemas of API resources in the same way, for `resource-validators.ts`. */
export function compileResourceSchemas(): string {
  const description = { $id: 'description', components: { schemas } };
  const options = { strict: false, schemas: [description] };
  return moduleSource(
    'resourceValidators',
    resources('description#/components/schemas', resourceNames),
    options,
  );
}

/** Compiles the schemas of what a mirror reads: for that module, and for the mirror client as one file. */
export function compileMirrorSchemas(): string {
  return moduleSource('mirrorValidators', resources('mirror#/$defs', mirroredNames), {
    schemas: [withPatterns(mirror)],
  });
}

const mirroredNames = resourceNames.filter((name) => name in mirror.$defs);

/** The schemas of resources, by name. @param place where they are */
function resources(
  place: string,
  names: readonly ResourceName[],
): Readonly<Record<string, AnySchema>> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `${place}/${name}` }]));
}

/** Source of one set of validators, in a function scope because all sets use the same names inside. */
function moduleSource(
  name: string,
  schemas: Readonly<Record<string, AnySchema>>,
  options: Options,
): string {
  const ajv = new Ajv2020({ ...options, code: { source: true, lines: true } });
  formats.default(ajv);
  // What editors know beside JSON Schema: snippets, and texts for the values of a list.
  ajv.addVocabulary(['defaultSnippets', 'enumDescriptions']);
  for (const [key, schema] of Object.entries(schemas)) ajv.addSchema(schema, key);
  const names = Object.fromEntries(Object.keys(schemas).map((key) => [key, key]));
  // Ajv copies all errors so far for each item of a list, which takes minutes for a list of wrong items.
  const source = standalone
    .default(ajv, names)
    .replace(/vErrors\.concat\((.+?)\)/g, 'append(vErrors, $1)');
  return `exports.${name} = (() => { const exports = {}; const module = { exports };
const append = (list, items) => { for (const item of items) list.push(item); return list; };
${source}
return exports; })();`;
}
