/**
 * Writes the TypeScript types of content files and of responses from their JSON Schemas: a part of `npm run format`.
 * With `--check`, it only says whether they are current.
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compile, type JSONSchema } from 'json-schema-to-typescript';
import { schemas } from '../build/release/schemas.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Keywords of which a type says nothing, whose values are no objects: a field may have the same name. */
const omitted = new Set(['title', 'minItems', 'maxItems', 'pattern']);

/** Keywords that say how fields depend on each other, which types leave to the validators. */
const conditions = new Set(['oneOf', 'if', 'else', 'discriminator', '$defs']);

/** A copy of a schema for its type, which gets this name; `nameOf` names the type of a reference. */
function simplified(
  schema: object,
  title: string,
  nameOf: (reference: string) => string,
): JSONSchema {
  const copy = JSON.parse(JSON.stringify(schema), (key, value) => {
    if (typeof value !== 'object' || value === null) return omitted.has(key) ? undefined : value;
    if (conditions.has(key)) return undefined;
    if (value.$ref) return { $ref: `#/definitions/${nameOf(value.$ref)}` };
    if (key !== 'items' && key !== 'additionalProperties') return value;
    const { description, ...described } = value;
    return described;
  });
  delete copy.properties?.$schema;
  return { ...copy, title };
}

/**
 * Returns the types of definitions, in the order of their names.
 *
 * @returns TypeScript whose properties and arrays are read-only; an optional property may be `undefined`
 */
async function typesOf(definitions: Record<string, JSONSchema>, comment: string): Promise<string> {
  const text = await compile({ definitions }, 'Root', {
    additionalProperties: false,
    bannerComment: `/** ${comment} \`npm run format\` writes this file from the JSON Schemas. */`,
    format: false,
    unreachableDefinitions: true,
  });
  return text
    .replace(/^.*\n.*\[k: string\]: unknown\n}\n/m, '')
    .replace(/^ \* \n \* This interface was referenced by .*\n.*\n/gm, '')
    .replace(/^\/\*\*\n \* This interface was referenced by .*\n.*\n \*\/\n/gm, '')
    .replace(/{\n\[k: string\]: (.*)\n}/g, 'Readonly<Record<string, $1>>')
    .replace(/: (\([^()]*\)\[\])/g, ': readonly $1')
    .replace(/^(\w+)(\??): (.*)$/gm, (_, name: string, optional: string, type: string) => {
      const value = type.replace(/(\w+|\([^()]*\))\[\]/g, 'readonly $1[]');
      return `readonly ${name}${optional}: ${value}${optional ? ' | undefined' : ''}`;
    });
}

/** The name of the type of a definition, after which others are called as well. */
function capitalized(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** The definition to which a reference refers. */
function referred(reference: string): string {
  return capitalized(reference.replace(/^.*\//, ''));
}

function servedTypes(): Promise<string> {
  const definitions = Object.entries(schemas).map(([name, schema]) => {
    return [name, simplified(schema, name, referred)];
  });
  return typesOf(Object.fromEntries(definitions), 'The responses of the API.');
}

/** The files that people write, by the names of their types, and what the names of their definitions begin with. */
const contentFiles = [
  { type: 'ExamFile', schema: 'exam', prefix: '' },
  { type: 'ShiftFile', schema: 'shift', prefix: '' },
  { type: 'SubjectFile', schema: 'subject-file', prefix: '' },
  { type: 'TranslationFile', schema: 'translation', prefix: 'Translated' },
];

/** What types of other objects consist of: the types of questions only refine the question. */
const refinements = new Set(['Mcq', 'Msq', 'Numerical', 'Text']);

async function writtenTypes(): Promise<string> {
  const definitions: Record<string, JSONSchema> = {};
  for (const { type, schema, prefix } of contentFiles) {
    const text = await readFile(join(root, `content/schema/${schema}.schema.json`), 'utf8');
    const file = JSON.parse(text);
    const nameOf = (reference: string) => `${prefix}${referred(reference)}`;
    definitions[type] = simplified(file, type, nameOf);
    for (const [name, definition] of Object.entries<object>(file.$defs ?? {})) {
      if (!refinements.has(capitalized(name)))
        definitions[nameOf(name)] = simplified(definition, nameOf(name), nameOf);
    }
  }
  return typesOf(definitions, 'The files that people write.');
}

/** The types of `/docs/client.mjs` and of `pastpaper/client`, in one file: those of its modules, and of responses. */
async function clientTypes(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'client-types-'));
  const options =
    '--ignoreConfig --target es2023 --noCheck --noResolve --declaration --emitDeclarationOnly --rootDir build';
  const modules = ['errors', 'score', 'select', 'sync', 'client'];
  const files = modules.map((name) => `build/client/${name}.ts`);
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  spawnSync(process.execPath, [tsc, ...files, ...options.split(' '), '--outDir', folder], {
    cwd: root,
  });
  const texts = await Promise.all(
    modules.map(async (name) => {
      const text = await readFile(join(folder, `client/${name}.d.ts`), 'utf8');
      // Of a sync, the client shows its result.
      const [result = ''] = /^\/\*\* What a mirror has[\s\S]*?^}\n/m.exec(text) ?? [];
      return name === 'sync'
        ? result
        : text
            .replace(/^import [\s\S]*?;\n/gm, '')
            .replace(/^export (?:type )?{[\s\S]*?}(?: from .*)?;\n/gm, '')
            // What the client does not export.
            .replace(/\/\*\* A request failed[\s\S]*/, '')
            .replace(/\/\*\*[^/]*?\*\/\nexport declare function drawnOrder[\s\S]*?;\n/, '')
            .replace(/^\/\*\*(?:[^*]|\*(?!\/))*\*\/\n(?=\/\*\*)/, '');
    }),
  );
  await rm(folder, { recursive: true });
  const note = `/** The client of a question bank. \`npm run format\` writes this file from its modules and the JSON Schemas. */\n`;
  return `${note}${texts.join('\n')}\n${await servedTypes()}`;
}

const generated = {
  'build/content/written.ts': writtenTypes,
  'build/release/resources.ts': servedTypes,
  'build/client/client.d.mts': clientTypes,
};

const isCheck = process.argv.includes('--check');
for (const [file, types] of Object.entries(generated)) {
  const path = join(root, file);
  const text = await formatted(await types(), path);
  if (!isCheck) {
    await writeFile(path, text);
  } else if ((await readFile(path, 'utf8').catch(() => '')) !== text) {
    process.stderr.write(`${file} is not what the schemas say: run npm run format.\n`);
    process.exitCode = 1;
  }
}

/** A text as the formatter leaves it in a file. */
async function formatted(text: string, path: string): Promise<string> {
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [biome, 'format', `--stdin-file-path=${path}`],
    {
      cwd: root,
      input: text,
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(stderr);
  return stdout;
}
