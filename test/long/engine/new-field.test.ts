/** A field of a question costs its lines in the schema: everything else walks the schema. */
import assert from 'node:assert/strict';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { sampleExam, sampleQuestions, temporaryFolder } from '../../build/bank-folder.ts';
import { canonicalJson, checksum } from '../../build/canonical-json.ts';
import { commitContent } from '../../build/diff/git-folder.ts';
import { withValue } from '../../build/json-pointer.ts';
import { bodyPath } from '../../build/release-folder.ts';
import { repository, startCommand } from '../../gateway/started-process.ts';

const paperPath = 'neet/2024/2024-05-05-s1/physics.json';
const question = { ...sampleQuestions.mcq, syllabus: 'NCERT, chapter 3' };

/** A copy of the program whose schema of a question has one more field. */
async function programWithField(): Promise<string> {
  const folder = await temporaryFolder();
  for (const name of ['build', 'gateway', 'content/schema', 'test', 'package.json'])
    await cp(join(repository, name), join(folder, name), { recursive: true });
  for (const name of [
    'node_modules',
    'package-lock.json',
    'tsconfig.json',
    'biome.json',
    '.gitignore',
  ])
    await symlink(join(repository, name), join(folder, name));
  const path = join(folder, 'content/schema/subject-file.schema.json');
  const schema = JSON.parse(await readFile(path, 'utf8'));
  const field = { description: 'The part of the syllabus.', type: 'string', minLength: 1 };
  await writeFile(
    path,
    JSON.stringify(withValue(schema, '/$defs/question/properties/syllabus', field)),
  );
  return folder;
}

describe('A field that only the schema of a question names', async () => {
  const program = await programWithField();
  const bank = await commitContent({
    'neet/exam.json': sampleExam,
    [paperPath]: { lastUpdated: '2024-06-01T10:00:00Z', questions: [question] },
  });
  const settings = { CONTENT_DIR: bank.content.dir, DIST_DIR: join(bank.root, 'dist') };
  const run = async (...args: readonly string[]) => {
    const result = await startCommand(process.execPath, args, settings, program).ended;
    assert.equal(result.status, 0, result.stderr);
    return result.stdout;
  };
  const pastpaper = join(program, 'build/pastpaper.js');
  const published = (file: string) => readFile(join(settings.DIST_DIR, 'current', file), 'utf8');

  before(() => run(pastpaper, 'build'));

  it('is served, and in the checksum', async () => {
    const { questions, metadata } = JSON.parse(
      await readFile(await bodyPath(settings.DIST_DIR, paperPath), 'utf8'),
    );
    assert.equal(questions[0].syllabus, question.syllabus);
    assert.equal(metadata.checksum, checksum(canonicalJson(questions)));
  });

  it('is in the reference and in the OpenAPI description', async () => {
    assert.match(await published('public/docs/reference/index.html'), /The part of the syllabus\./);
    const { components } = JSON.parse(await published('public/docs/openapi.json'));
    assert.equal(components.schemas.Question.properties.syllabus.type, 'string');
  });

  it('is in the diff when it changes', async () => {
    await bank.content.set(paperPath, '/questions/0/syllabus', 'NCERT, chapter 4');
    assert.match(await run(pastpaper, 'diff', 'HEAD'), /syllabus/);
  });

  it('is in the types of what is written and of what is served', async () => {
    await run('--import', 'tsx', 'test/generate-types.ts');
    for (const file of ['build/content/written.ts', 'build/release/resources.ts'])
      assert.match(
        await readFile(join(program, file), 'utf8'),
        /readonly syllabus\?: string \| undefined;/,
        file,
      );
  });
});
