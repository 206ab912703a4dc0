import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { makeBank, paperOf, paperPath, sampleQuestions, shiftPath } from './bank-folder.ts';
import { png } from './image-bytes.ts';
import { validateFolder } from './validate-folder.ts';

interface Snippet {
  readonly label: string;
  readonly description: string;
  readonly body: object;
}

/** Snippets as Visual Studio Code inserts them, with the proposed text (or the first choice) at each place. */
async function snippetsOf(
  schema: string,
  definition: string,
): Promise<(Snippet & { readonly value: object })[]> {
  const { $defs } = JSON.parse(
    await readFile(new URL(`../../content/schema/${schema}.schema.json`, import.meta.url), 'utf8'),
  );
  return $defs[definition].defaultSnippets.map((snippet: Snippet) => {
    const text = JSON.stringify(snippet.body).replace(/\$\{\d+(?::([^}]*)|\|([^,|]*)[^}]*)\}/g, '$1$2');
    return { ...snippet, value: JSON.parse(text) };
  });
}

describe('A snippet of the editor inserts valid content:', async () => {
  const questions = await snippetsOf('subject-file', 'question');

  it('there is a question of each type', () => {
    const types = questions.map(({ value }) => (value as { readonly type: string }).type);
    assert.deepEqual(types.sort(), Object.keys(sampleQuestions).sort());
  });

  for (const { label, value } of questions) {
    it(label, async () => {
      const { dir } = await makeBank({ [paperPath]: paperOf(value as typeof sampleQuestions.mcq) });
      assert.deepEqual((await validateFolder(dir)).report.diagnostics, []);
    });
  }

  it('a diagram', async () => {
    const [diagram] = await snippetsOf('subject-file', 'diagram');
    const file = { ...(diagram?.value as { readonly file: string; readonly alt: string }) };
    const { dir } = await makeBank({
      [paperPath]: paperOf({ ...sampleQuestions.mcq, id: 'question-id', diagrams: [file] }),
      [`${shiftPath}/diagrams/${file.file}`]: png(2, 2),
    });
    assert.deepEqual((await validateFolder(dir)).report.diagnostics, []);
  });

  for (const { label, value } of await snippetsOf('exceptions', 'exception')) {
    it(label, async () => {
      const { dir } = await makeBank({
        [paperPath]: paperOf({ ...sampleQuestions.mcq, id: 'question-id' }),
        [`${shiftPath}/biology.json`]: paperOf({ ...sampleQuestions.mcq, id: 'q2' }),
        'exceptions.json': { exceptions: [value] },
      });
      assert.deepEqual((await validateFolder(dir)).report.diagnostics, []);
    });
  }
});
