import assert from 'node:assert/strict';
import { readdir, readFile, symlink } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { describe, it } from 'node:test';
import { formatJson } from '../../../build/fix/json.ts';
import type { LiveBank } from '../../../build/preview/bank.ts';
import { openEditor } from '../../../build/preview/edit-requests.ts';
import {
  type BankFolder,
  makeBank,
  paperOf,
  paperPath,
  sampleQuestions,
  shiftPath,
} from '../bank-folder.ts';
import { png, svg } from '../image-bytes.ts';
import { runPreview } from './running-preview.ts';

const { mcq, msq } = sampleQuestions;
const page = '/neet/2024/2024-05-05-s1/physics';
const paper = formatJson(JSON.stringify(paperOf(mcq, { ...msq, id: 'q2' })), 'paper');

interface Sent {
  readonly origin: string;
  readonly token: string;
  readonly base: string;
}

/** Starts a preview of a bank, and reads what its page of the paper sends. */
async function open(bank: BankFolder): Promise<Sent> {
  const { origin } = await runPreview(bank.dir);
  return { origin, ...(await dataOf(origin)) };
}

async function dataOf(origin: string, path = page) {
  const [, data = '{}'] =
    /data-edit="([^"]*)"/.exec(await (await fetch(origin + path)).text()) ?? [];
  const json = data.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
  return JSON.parse(json) as {
    readonly token: string;
    readonly base: string;
    readonly index?: number;
    readonly known?: Readonly<Record<string, readonly string[]>>;
  };
}

async function post(
  { origin, token }: Sent,
  name: string,
  body: object | string | Uint8Array,
  headers: Readonly<Record<string, string | undefined>> = {},
) {
  const sent = {
    ...{ Origin: origin, 'X-Preview-Token': token, 'Content-Type': 'application/json' },
    ...headers,
  };
  const left = Object.entries(sent).flatMap(([field, value]) =>
    value === undefined ? [] : [[field, value] as [string, string]],
  );
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  const response = await fetch(`${origin}/-/edit/${name}`, {
    method: 'POST',
    headers: left,
    body: (isRaw ? body : JSON.stringify(body)) as string,
  });
  return { status: response.status, body: await response.json() };
}

/** A question with another topic, as a form sends it. */
const change = (base: string, topic: string, index = 0) => ({
  ...{ path: paperPath, base, id: index === 0 ? 'q1' : 'q2' },
  edit: {
    kind: 'replace',
    list: 'questions',
    index,
    item: index === 0 ? { ...mcq, topic } : { ...msq, id: 'q2', topic },
  },
});

describe('The editor', () => {
  it('saves a question as one changed line, and shows it on the page', async () => {
    const bank = await makeBank({ [paperPath]: paper });
    const sent = await open(bank);
    const { status, body } = await post(sent, 'save', change(sent.base, 'Waves'));
    assert.equal(status, 200);
    const saved = await readFile(join(bank.dir, paperPath), 'utf8');
    assert.equal(saved, paper.replace(`"topic": "${mcq.topic}"`, '"topic": "Waves"'));
    assert.match(await (await fetch(sent.origin + page)).text(), /<li>Waves/);
    assert.equal((await dataOf(sent.origin)).base, body.base);
    assert.deepEqual((await readdir(join(bank.dir, shiftPath))).sort(), ['physics.json']);
  });

  it('renders a draft as its page does, with problems by field and suggestions for parts of texts', async () => {
    const bank = await makeBank({ [paperPath]: paper });
    const sent = await open(bank);
    const item = { ...mcq, question: 'É "€": $\\fracc{1}{2}$ is <b>bold</b>?', difficulty: 'Hard' };
    const edit = { kind: 'replace', list: 'questions', index: 0, item };
    const { status, body } = await post(sent, 'check', { path: paperPath, edit });
    assert.equal(status, 200);
    const fraction = body.problems.find((one: { message: string }) => /fracc/.test(one.message));
    assert.equal(fraction.pointer, '/question');
    const { start, end, text } = fraction.suggestion;
    assert.match(
      item.question.slice(0, start) + text + item.question.slice(end),
      /\$\\frac\{1\}\{2\}\$/,
    );
    const difficulty = body.problems.find(
      (one: { pointer: string }) => one.pointer === '/difficulty',
    );
    assert.deepEqual(difficulty.suggestion, { text: 'hard' });
    assert.match(body.html, /É &#34;€&#34;:/);
    assert.equal(await readFile(join(bank.dir, paperPath), 'utf8'), paper);

    const sound = { kind: 'replace', list: 'questions', index: 0, item: { ...mcq } };
    const shown = (await post(sent, 'check', { path: paperPath, edit: sound })).body;
    assert.deepEqual(shown.problems, []);
    const [stem = 'none'] = /<div class="stem.*?<\/ul>/s.exec(shown.html) ?? [];
    assert.ok((await (await fetch(sent.origin + page)).text()).includes(stem));
  });

  it('renders what there is of an incomplete question, of any shape', async () => {
    const sent = await open(await makeBank({ [paperPath]: paper }));
    const items: readonly object[] = [
      {},
      { id: 'q3', type: 'mcq', question: 'Half a $\\sqrt{2}$', options: [{ key: 'A' }, 5, null] },
      { id: 7, type: ['mcq'], question: {}, options: 'none', diagrams: [null, { file: {} }] },
      { __proto__: null, constructor: { prototype: 1 }, toString: 'x', passage: '__proto__' },
      { ...mcq, id: 'q1', marking: 'x', lang: 5, accepted: [[]], options: { length: 3 } },
      { ...mcq, question: '\ud800 \u202e \u0000' },
    ];
    for (const item of items)
      for (const index of [0, 2]) {
        const edit = { kind: index === 0 ? 'replace' : 'insert', list: 'questions', index, item };
        const { status, body } = await post(sent, 'check', { path: paperPath, edit });
        assert.equal(status, 200, JSON.stringify(item));
        assert.match(body.html, /class="question"/);
        assert.ok(body.problems.length > 0);
      }
  });

  it('edits passages and the details of a paper', async () => {
    const sent = await open(await makeBank({ [paperPath]: paper }));
    const item = { id: 'p1', text: 'A $2$ m rod.' };
    const passage = { kind: 'insert', list: 'passages', index: 0, item };
    const { body } = await post(sent, 'check', { path: paperPath, edit: passage });
    assert.match(body.html, /A <span class="unbroken">|A .*katex/);
    const details = { kind: 'details', item: { lastUpdated: 'today' } };
    const { problems } = (await post(sent, 'check', { path: paperPath, edit: details })).body;
    assert.deepEqual(
      new Set(problems.map((one: { pointer: string }) => one.pointer)),
      new Set(['/lastUpdated']),
    );
    for (const query of ['', '?question=1', '?question=', '?passage='])
      assert.equal((await fetch(`${sent.origin}/-/edit${page}${query}`)).status, 200, query);
    for (const query of ['?question=3', '?question=x', '?passage=1', '?question=-1'])
      assert.equal((await fetch(`${sent.origin}/-/edit${page}${query}`)).status, 404, query);
  });

  it('keeps a file that changed meanwhile, and returns its version of the question', async () => {
    const bank = await makeBank({ [paperPath]: paper });
    const sent = await open(bank);
    const first = await post(sent, 'save', change(sent.base, 'Of one tab'));
    assert.equal(first.status, 200);
    const second = await post(sent, 'save', change(sent.base, 'Of another tab'));
    assert.equal(second.status, 409);
    assert.equal(second.body.item.topic, 'Of one tab');
    assert.match(second.body.written, /"topic": "Of one tab"/);
    assert.equal(second.body.base, first.body.base);
    assert.match(await readFile(join(bank.dir, paperPath), 'utf8'), /Of one tab/);
    const both = await Promise.all(
      ['Left', 'Right'].map((topic) => post(sent, 'save', change(first.body.base, topic, 1))),
    );
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409]);
    const moved = {
      ...change(sent.base, 'Late'),
      edit: { kind: 'replace', list: 'questions', index: 0, item: mcq },
      id: 'gone',
    };
    const gone = await post(sent, 'save', moved);
    assert.deepEqual([gone.status, gone.body.index, gone.body.item], [409, 2, undefined]);
  });

  it('saves diagrams under new names that contain the id, and never over others', async () => {
    const bank = await makeBank({
      [paperPath]: paper,
      [`${shiftPath}/diagrams/q1.png`]: png(9, 9),
    });
    const sent = await open(bank);
    const save = (bytes: Uint8Array, query: string, type = 'image/png') =>
      post(sent, `diagram?${query}`, bytes, { 'Content-Type': type });
    const query = `path=${paperPath}&id=q1`;
    assert.deepEqual((await save(png(30, 20), query)).body, { file: 'q1-2.png' });
    assert.deepEqual((await save(png(30, 20), query)).body, { file: 'q1-2.png' });
    assert.deepEqual((await save(svg(30, 20), query)).body, { file: 'q1.svg' });
    assert.deepEqual((await readdir(join(bank.dir, shiftPath, 'diagrams'))).sort(), [
      'q1-2.png',
      'q1.png',
      'q1.svg',
    ]);
    assert.equal((await fetch(`${sent.origin}/${shiftPath}/diagrams/q1.svg`)).status, 200);
    for (const id of ['', '../x', 'x%00'])
      assert.equal(
        (await save(png(3, 3), `path=${paperPath}&id=${encodeURIComponent(id)}`)).status,
        422,
        id,
      );
    assert.equal((await save(Buffer.from('no image'), query)).status, 422);
    assert.equal((await save(png(3, 3), query, 'text/html')).status, 415);
    assert.equal((await save(png(3, 3), 'path=neet/exam.json&id=q1')).status, 404);
  });

  it('suggests the sections and passages of the paper', async () => {
    const bank = await makeBank({
      [paperPath]: {
        ...paperOf({ ...mcq, section: 'Part A', passage: 'p1' }),
        passages: [{ id: 'p1', text: 'A train leaves at noon.' }],
      },
    });
    const { origin } = await open(bank);
    const { known } = await dataOf(origin, `/-/edit${page}?question`);
    assert.deepEqual([known?.['section'], known?.['passage']], [['Part A'], ['p1']]);
  });

  it('creates a paper of an exam and its subjects, once', async () => {
    const bank = await makeBank();
    const sent = await open(bank);
    const place = { exam: 'neet', year: '2025', shift: '2025-05-04-s1', subject: 'biology' };
    const { status, body } = await post(sent, 'paper', place);
    assert.equal(status, 200);
    const form = await dataOf(sent.origin, body.url);
    assert.equal(form.index, 0);
    assert.equal((await post(sent, 'paper', place)).status, 409);
    const wrong = [
      ...[{ exam: '../neet' }, { exam: 'jee' }, { exam: 5 }, { year: '2024' }],
      ...[{ shift: '2025-02-30-s1' }, { shift: '../../x' }, { subject: 'history' }],
    ];
    for (const one of wrong)
      assert.equal(
        (await post(sent, 'paper', { ...place, ...one })).status,
        422,
        JSON.stringify(one),
      );
    assert.deepEqual((await readdir(bank.dir)).sort(), ['neet']);
  });
});

describe('The editor refuses', async () => {
  const bank = await makeBank({ [paperPath]: paper, 'outside.json': paper });
  const sent = await open(bank);
  const { origin } = sent;
  const valid = change(sent.base, 'Changed');
  const unchanged = async () =>
    assert.equal(await readFile(join(bank.dir, paperPath), 'utf8'), paper);

  it('pages of other origins, other hosts, and requests without the token', async () => {
    const port = new URL(origin).port;
    const attacks: readonly [Readonly<Record<string, string | undefined>>, number][] = [
      [{ Origin: 'https://example.org' }, 403],
      [{ Origin: `http://127.0.0.1:${Number(port) + 1}` }, 403],
      [{ Origin: undefined }, 403],
      [{ 'X-Preview-Token': undefined }, 403],
      [{ 'X-Preview-Token': `${sent.token}x` }, 403],
      [{ 'Content-Type': 'text/plain' }, 415],
    ];
    for (const [headers, status] of attacks)
      for (const name of ['save', 'check', 'paper', 'diagram']) {
        if (name === 'diagram' && status === 415) continue;
        const response = await post(sent, name, valid, headers);
        assert.equal(response.status, status, JSON.stringify(headers));
        assert.equal(typeof response.body.error, 'string');
      }
    const rebound = {
      ...{ Host: 'localhost.example.org', Origin: 'http://localhost.example.org' },
      ...{ 'X-Preview-Token': sent.token, 'Content-Type': 'application/json' },
    };
    assert.equal(await sendRaw(origin, rebound, JSON.stringify(valid)), 421);
    const token = (await open(bank)).token;
    assert.notEqual(token, sent.token);
    await unchanged();
  });

  it('paths of files that are no papers of the bank', async () => {
    await symlink(join(bank.dir, 'outside.json'), join(bank.dir, shiftPath, 'linked.json'));
    const paths = [
      'outside.json',
      'neet/exam.json',
      `../${paperPath}`,
      `${shiftPath}/../2024-05-05-s1/physics.json`,
      join(bank.dir, paperPath),
      `${shiftPath}/linked.json`,
      null,
    ];
    for (const path of paths)
      for (const name of ['save', 'check']) {
        const { status } = await post(sent, name, { ...valid, path });
        assert.equal(status, 404, String(path));
      }
    assert.equal(await readFile(join(bank.dir, 'outside.json'), 'utf8'), paper);
    for (const name of ['', 'other', '__proto__'])
      assert.ok((await post(sent, name, valid)).status < 500, name);
  });

  it('bodies that are too large, by their length before they are sent, or without one', async () => {
    const headers = { Origin: origin, 'X-Preview-Token': sent.token };
    const bytes = { 'Content-Length': String(100 * 1024 * 1024) };
    const nothing = () => new Readable({ read() {} });
    for (const [name, type] of [
      ['save', 'application/json'],
      [`diagram?path=${paperPath}&id=q1`, 'image/png'],
    ] as const) {
      const sentFirst = { ...headers, ...bytes, 'Content-Type': type };
      assert.equal(await sendRaw(origin, sentFirst, nothing(), name), 413);
    }
    const megabyte = Buffer.alloc(1024 * 1024, ' ');
    const json = { ...headers, 'Content-Type': 'application/json' };
    const chunks = Readable.from(Array.from({ length: 8 }, () => megabyte));
    assert.equal(await sendRaw(origin, json, chunks), 413);
    await unchanged();
  });

  it('bodies that end early, and reads the rest of those that are too large', async () => {
    const { token, respond } = openEditor({} as LiveBank);
    const host = 'localhost:1';
    const headers = {
      ...{ host, origin: `http://${host}`, 'x-preview-token': token },
      'content-type': 'application/json',
    };
    const statusOf = async (body: Readable) => {
      const sending = Object.assign(body, { headers }) as unknown as IncomingMessage;
      return (await respond(sending, '/-/edit/save')).status;
    };
    const aborted = Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
    const early = new Readable({
      read() {
        this.destroy(aborted);
      },
    });
    assert.equal(await statusOf(early), 400);
    const large = Readable.from(Array.from({ length: 8 }, () => Buffer.alloc(1024 * 1024)));
    assert.equal(await statusOf(large), 413);
    await finished(large);
  });

  it('what is no edit, with a sentence', async () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    for (const body of ['', '5', 'null', `{"path":${deep}}`]) {
      const { status, body: answer } = await post(sent, 'save', body);
      assert.ok(status === 400 || status === 404 || status === 422, body.slice(0, 9));
      assert.match(answer.error, /\.$/);
    }
    const item = { ...mcq };
    const edits = [
      ...[undefined, 'replace', {}, { kind: 'replace' }, { kind: 'constructor' }],
      { kind: 'replace', list: 'questions', index: 1.5, item },
      { kind: 'replace', list: 'questions', index: 2, item },
      { kind: 'replace', list: '__proto__', index: 0, item },
      { kind: 'replace', list: 'questions', index: 0, item: [] },
      { kind: 'insert', list: 'questions', index: 99, item },
      { kind: 'details', item: 'x' },
    ];
    for (const edit of edits)
      assert.equal(
        (await post(sent, 'save', { ...valid, edit })).status,
        422,
        JSON.stringify(edit),
      );
    await unchanged();
  });

  it('a file that is not JSON, whose page has no buttons', async () => {
    const broken = await makeBank({ [paperPath]: '{"questions": [' });
    const opened = await open(broken);
    assert.equal(opened.token, undefined);
    const { token } = await dataOf(opened.origin, '/-/edit/new');
    const { status, body } = await post({ ...opened, token }, 'save', valid);
    assert.equal(status, 422);
    assert.match(body.error, /Correct it in a text editor/);
    const form = await (await fetch(`${opened.origin}/-/edit${page}?question=1`)).text();
    assert.match(form, /Correct it in a text editor/);
  });
});

/** Sends a request with any header fields. @returns the status, although the body may not have ended */
function sendRaw(
  origin: string,
  headers: Readonly<Record<string, string>>,
  body: string | Readable,
  name = 'save',
): Promise<number> {
  return new Promise((resolve, reject) => {
    const sending = request(`${origin}/-/edit/${name}`, { method: 'POST', headers }, (response) => {
      void text(response).then(() => {
        resolve(response.statusCode ?? 0);
        sending.destroy();
      });
    });
    sending.on('error', reject);
    sending.flushHeaders();
    Readable.from(typeof body === 'string' ? [body] : body).pipe(sending);
  });
}
