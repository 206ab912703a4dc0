/**
 * The lower bound of a build: one thread reads every paper, parses it, validates it against its schema, stringifies the
 * questions, hashes the bytes and writes them. Arguments: content folder, output folder.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { SubjectFile } from '../../build/content/written.ts';

const [content = '', out = ''] = process.argv.slice(2);
const schema = new URL('../../content/schema/subject-file.schema.json', import.meta.url);
const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
const isPaper = ajv.compile<SubjectFile>(JSON.parse(readFileSync(schema, 'utf8')));
const hashes: Record<string, string> = {};

for (const path of readdirSync(content, { recursive: true, encoding: 'utf8' })) {
  const [exam, year, shift, file] = path.split('/');
  if (!file?.endsWith('.json')) continue;
  const paper = JSON.parse(readFileSync(join(content, path), 'utf8'));
  if (!isPaper(paper)) throw new Error(`${path}: ${ajv.errorsText(isPaper.errors)}`);
  const { questions, lastUpdated } = paper;
  const subject = file.slice(0, -'.json'.length);
  const total = questions.length;
  const body = JSON.stringify({
    exam,
    year: Number(year),
    shift,
    subject,
    total,
    questions,
    lastUpdated,
  });
  mkdirSync(dirname(join(out, path)), { recursive: true });
  writeFileSync(join(out, path), body);
  hashes[path] = createHash('sha256').update(body).digest('hex');
}
writeFileSync(join(out, 'hashes.json'), JSON.stringify(hashes));
