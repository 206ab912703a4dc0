import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Bank } from '../../../build/client/client.ts';
import { mcpServer } from '../../../build/client/mcp.ts';
import { repository } from '../../gateway/started-process.ts';
import { temporaryFolder } from '../bank-folder.ts';
import { pullHere, serve } from './served-bank.ts';

const { running, url } = await serve();
const { key } = await running.createKey('reader');
const folder = await temporaryFolder();
await pullHere(url, 'neet', folder, { key });

describe('The MCP server', async () => {
  const bank = await Bank.open(folder);
  const client = new Client({ name: 'test', version: '1' });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await mcpServer(bank).connect(far);
  await client.connect(near);

  async function call(name: string, input: object = {}) {
    const result = await client.callTool({ name, arguments: { ...input } });
    const [{ text = '' } = {}] = result.content as { text?: string }[];
    return {
      text,
      isError: result.isError ?? false,
      value: result.isError ? text : JSON.parse(text),
    };
  }

  it('lists exams and papers, and selects questions by a seed', async () => {
    assert.deepEqual(
      (await call('list_exams')).value.exams.map((one: { exam: string }) => one.exam),
      ['neet'],
    );
    assert.ok((await call('list_papers', { scope: 'neet/2026/s1' })).value.papers.length > 0);
    const selection = { exam: 'neet', count: 5, seed: '7' };
    const { questions } = (await call('select_questions', selection)).value;
    assert.deepEqual(
      questions.map(({ id }: { id: string }) => id),
      (await bank.select(selection)).map(({ id }) => id),
    );
  });

  it('tells no answer unless it is asked for, of any question', async () => {
    for (const question of await bank.select({ exam: 'neet' })) {
      const { id, answer } = question;
      const hidden = (await call('get_question', { id })).value;
      for (const field of ['answer', 'accepted', 'answerRange', 'tolerance', 'solution'])
        assert.ok(!(field in hidden), `${id} ${field}`);
      assert.equal((await call('get_question', { id, answer: true })).value.answer, answer);
      const checked = await call('check_answer', { id, response: 'Z' });
      assert.deepEqual(Object.keys(checked.value), ['correct', 'dropped', 'marks']);
      if (!question.dropped)
        assert.equal((await call('check_answer', { id, response: answer })).value.correct, true);
    }
    const { text } = await call('select_questions', { exam: 'neet', count: 50 });
    assert.doesNotMatch(text, /"(?:answer|accepted|answerRange|tolerance|solution)":/);
  });

  it('explains a question, and says what to do about errors', async () => {
    const id = 'neet-2024-03-01-s1-physics-01';
    const explained = (await call('explain', { id })).value;
    assert.ok(explained.answer);
    assert.equal(explained.shift, '2024-03-01-s1');
    const failed = await call('get_question', { id: 'x' });
    assert.deepEqual(
      [failed.isError, failed.text],
      [true, 'The bank has no question "x". Check the id.'],
    );
  });

  it('runs as a command over standard input and output', async () => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [join(repository, 'build/pastpaper.js'), 'mcp', folder],
      stderr: 'ignore',
    });
    const other = new Client({ name: 'test', version: '1' });
    await other.connect(transport);
    const { tools } = await other.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['list_exams', 'list_papers', 'select_questions', 'get_question', 'check_answer', 'explain'],
    );
    await other.close();
  });
});
