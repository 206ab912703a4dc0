import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, describe, it } from 'node:test';
import createClient from 'openapi-fetch';
import type { components, paths } from 'pastpaper/client';
import { clientTypes } from '../../build/client/client-types.ts';
import type { Difficulty, QuestionType } from '../../build/read/content.ts';
import { describeApi } from '../../build/site/description/describe.ts';
import { compileFiles } from '../build/compiled-bank.ts';
import { runGateway } from '../gateway/running-gateway.ts';

type Question = components['schemas']['Question'];
type Same<Left, Right> = [Left, Right] extends [Right, Left] ? true : false;

describe('The types for clients', () => {
  it('are those of the description as it stands; `npm run client-types` writes them anew', async () => {
    const written = await readFile(new URL('../../build/client/types.d.ts', import.meta.url), 'utf8');
    assert.equal(await clientTypes(describeApi((await compileFiles({})).exams)), written);
  });

  it('name every type and difficulty of a question, and no other', () => {
    // The compiler is the judge.
    const types: Same<Question['type'], QuestionType> = true;
    const difficulties: Same<Question['difficulty'], Difficulty> = true;
    assert.ok(types && difficulties);
  });
});

describe('A client of openapi-fetch with these types', async () => {
  const running = await runGateway();
  after(() => running.close());
  const { key } = await running.createKey('reader');
  const client = createClient<paths>({ baseUrl: running.baseUrl });

  it('reads the years of an exam, and the shifts of a year', async () => {
    const exam = await client.GET('/{exam}', { params: { path: { exam: 'neet' } } });
    assert.deepEqual(exam.data?.years, [2024, 2023]);
    const year = await client.GET('/{exam}/{year}', { params: { path: { exam: 'neet', year: 2024 } } });
    assert.deepEqual(
      year.data?.shifts.map(({ shift }) => shift),
      ['2024-05-05-s1', '2024-06-23-s1'],
    );
  });

  it('downloads questions, told apart by their type, and a diagram of theirs', async () => {
    const headers = { Authorization: `Bearer ${key}` };
    const place = { exam: 'neet', year: 2024, shift: 's1' };
    const { data } = await client.GET('/{exam}/{year}/{shift}/{file}', {
      params: { path: { ...place, file: 'physics.json' } },
      headers,
    });
    assert.ok(data);
    assert.equal(data.questions.length, data.total);
    assert.ok(data.questions.every((question) => optionsOf(question) >= 0));
    const filename = data.questions.flatMap(({ diagrams }) => diagrams)[0]?.file;
    assert.ok(filename);
    const diagram = await client.GET('/{exam}/{year}/{shift}/diagrams/{filename}', {
      params: { path: { ...place, filename } },
      headers,
      parseAs: 'blob',
    });
    assert.ok(diagram.data instanceof Blob);
    assert.match(diagram.data.type, /^image\//);
  });

  it('is told of an error in its type', async () => {
    const { error, response } = await client.GET('/{exam}/{year}/{shift}/{file}', {
      params: { path: { exam: 'neet', year: 2024, shift: 's1', file: 'physics.json' } },
    });
    assert.equal(response.status, 401);
    assert.equal(error?.error, 'Missing API key');
  });

  it('does not compile with a path, a parameter or a field that the API lacks', () => {
    // @ts-expect-error: no such path
    const path: keyof paths = '/{exam}/{year}/{shift}';
    // @ts-expect-error: the year is a number
    const year: components['schemas']['YearShifts']['year'] = '2024';
    // @ts-expect-error: no such field
    const field: keyof Question = 'solution';
    assert.ok(path && year && field);
  });
});

/** A switch over the type of a question ends where the types say that there is no other. */
function optionsOf(question: Question): number {
  switch (question.type) {
    case 'mcq':
    case 'msq':
      return question.options.length;
    case 'numerical':
      return 0;
  }
}
