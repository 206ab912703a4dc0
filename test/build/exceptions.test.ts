import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BankFolder, makeBank, paperOf, paperPath, sampleQuestions, shiftPath } from './bank-folder.ts';
import { validateFolder } from './validate-folder.ts';

const { mcq } = sampleQuestions;
const biology = `${shiftPath}/biology.json`;

/** Adds an exception for each diagnostic of a bank. */
async function addExceptions(dir: string): Promise<BankFolder> {
  const { diagnostics } = (await validateFolder(dir)).report;
  const exceptions = diagnostics.map(({ rule, file, pointer }) => ({
    rule,
    file,
    pointer,
    reason: 'An exception for a test.',
  }));
  const bank = new BankFolder(dir);
  await bank.write('exceptions.json', { exceptions });
  return bank;
}

describe('An exception', () => {
  it('is not reported as unneeded while its file cannot be parsed', async () => {
    const question = {
      ...mcq,
      options: [
        { key: 'A', value: 'm' },
        { key: 'B', value: 'm' },
      ],
    };
    const bank = await makeBank({ [paperPath]: paperOf(question) });
    await addExceptions(bank.dir);
    assert.deepEqual((await validateFolder(bank.dir)).report.diagnostics, []);
    await bank.write(paperPath, '{');
    assert.deepEqual(await rulesOf(bank), ['syntax']);
  });

  it('is not reported as unneeded while another file that it depends on cannot be parsed', async () => {
    const bank = await makeBank({ [biology]: paperOf({ ...mcq, id: 'q2' }) });
    await addExceptions(bank.dir);
    assert.deepEqual((await validateFolder(bank.dir)).report.diagnostics, []);
    await bank.write(biology, '{');
    assert.deepEqual(await rulesOf(bank), ['syntax']);
  });

  it('applies even if another one in the list is invalid', async () => {
    const bank = await makeBank({ [biology]: paperOf({ ...mcq, id: 'q2' }) });
    await addExceptions(bank.dir);
    await bank.set('exceptions.json', '/exceptions/1', { rule: 7 });
    const { diagnostics } = (await validateFolder(bank.dir)).report;
    assert.deepEqual(
      diagnostics.map(({ rule, pointer }) => [rule, pointer]),
      [
        ['schema', '/exceptions/1'],
        ['schema', '/exceptions/1/rule'],
      ],
    );
  });

  it('by question id still applies after another question is inserted before', async () => {
    const repeated = { ...mcq, id: 'q2' };
    const bank = await makeBank({
      [biology]: paperOf(mcq),
      [paperPath]: paperOf(repeated),
      'exceptions.json': {
        exceptions: [{ rule: 'repeated-stem', question: 'q2', reason: 'Both papers asked it.' }],
      },
    });
    assert.deepEqual(await rulesOf(bank), []);
    await bank.write(paperPath, paperOf({ ...mcq, id: 'q3', question: 'Which is not?' }, repeated));
    assert.deepEqual(await rulesOf(bank), []);
  });

  it('hides no problem of another question, file or folder', async () => {
    const bank = await makeBank({ [biology]: paperOf(mcq), [paperPath]: paperOf({ ...mcq, id: 'q2' }) });
    const names = [{ question: 'q1' }, { file: biology }, { file: 'neet/202' }, { file: 'neet/2024/*.json' }];
    for (const name of names) {
      const exceptions = [{ rule: 'repeated-stem', ...name, reason: 'An exception for a test.' }];
      await bank.write('exceptions.json', { exceptions });
      assert.deepEqual(await rulesOf(bank), ['exception', 'repeated-stem']);
    }
  });

  it('hides no problem of another rule', async () => {
    const bank = await makeBank({ [biology]: paperOf({ ...mcq, id: 'q2' }) });
    await addExceptions(bank.dir);
    await bank.set(paperPath, '/questions/0/answer', 'Z');
    assert.deepEqual(await rulesOf(bank), ['answer-among-options']);
  });

  async function rulesOf({ dir }: BankFolder): Promise<string[]> {
    return (await validateFolder(dir)).report.diagnostics.map(({ rule }) => rule);
  }
});
