import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { after, afterEach, beforeEach, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { quoted } from '../../../build/client/errors.ts';
import { temporaryFolder } from '../bank-folder.ts';
import { type FakeService, serveBank, startFakeService } from './fake-service.ts';
import { mirrorFiles, type PullRun, problemsOf, pullHere } from './served-bank.ts';

const key = 'pfx_secret';
const paper = '/neet/2024/2024-05-05-s1/physics.json';
const diagram = '/neet/2024/2024-05-05-s1/diagrams/q1-drawing.svg';
const json = { 'content-type': 'application/json' };

const elsewhere = await startFakeService();
after(() => elsewhere.close());

let service: FakeService;
let parent: string;

beforeEach(async () => {
  service = await startFakeService();
  parent = await temporaryFolder();
  serveBank(service);
  serveBank(elsewhere);
});
afterEach(() => service.close());

describe('Names in the metadata', () => {
  const bad = [
    ...['../../../outside', '/etc/outside', '..', '', 'a\\b', 'a\u0000b'],
    ...['\u001b[31mred', 'x'.repeat(300), 7, { toString: 'physics' }],
  ];
  for (const [kind, names] of [
    ['shift', [...bad, '2024-05-05', '__proto__']],
    ['subject', [...bad, 'Physics', 'physics.json', '__proto__']],
    ['file', [...bad, '%2e%2e%2foutside', '-rf']],
  ] as const) {
    it(`never become a file if the ${kind} is invalid`, async () => {
      for (const name of names) {
        parent = await temporaryFolder();
        serveBank(service, { [kind]: name });
        const problems = problemsOf(await pullMade());
        assert.equal(problems.length, 1, JSON.stringify(name));
        assert.match(problems[0] ?? '', /named|does not conform|no list/);
        assert.ok(
          [...(problems[0] ?? '')].every((character) => character >= ' '),
          problems[0],
        );
        assert.deepEqual(await readdir(parent), ['copy']);
        assert.deepEqual([...(await mirrorFiles(join(parent, 'copy'))).keys()], []);
      }
    });
  }
});

it('Text of a service in a message neither controls the terminal nor fills it', () => {
  assert.equal(quoted('a\u001b[31m\u009b\u202e\n"b"'), '"a\\u001b[31m\\u009b\\u202e\\n\\"b\\""');
  assert.equal(quoted('x'.repeat(1000)).length, 85);
});

describe('A service that', () => {
  const forYears = (response: ServerResponse) =>
    response
      .writeHead(429, {
        ratelimit: '"month";r=0;t=999999999999999',
        'ratelimit-policy': '"month";q=1;w=2592000',
      })
      .end();
  const endless = (response: ServerResponse) => pour(response.writeHead(500, json));
  const shifts = Array.from({ length: 200_000 }, (_, index) => ({
    shift: `2024-05-05-s${index + 1}`,
    subjects: ['physics'],
    checksum: '0123456789ab',
  }));
  const cases: readonly (readonly [string, string, (response: ServerResponse) => void, RegExp])[] =
    [
      [
        'does not speak HTTP',
        '/neet',
        ({ socket }) => socket?.end('SSH-2.0-OpenSSH\r\n'),
        /the response is not valid HTTP\./,
      ],
      [
        'asks to wait for years',
        paper,
        forYears,
        /quota of 1 request is used up\. It resets at a time more than ten years away/,
      ],
      [
        'names 200,000 shifts',
        '/neet/2024',
        (response) =>
          response.writeHead(200, json).end(JSON.stringify({ exam: 'neet', year: 2024, shifts })),
        /the service lists 200,000 shifts, more than the 10,000/,
      ],
      ['sends an error without end', '/neet', endless, /status 500\. Tried 8 times/],
    ];
  for (const [name, path, respond, message] of cases) {
    it(`${name} ends the pull with a sentence`, async () => {
      service.respond(path, respond);
      const problems = problemsOf(await pullMade());
      assert.equal(problems.length, 1, problems.join('\n'));
      assert.match(problems[0] ?? '', message);
    });
  }
});

describe('A response of the wrong shape', () => {
  const shift = { shift: '2024-05-05-s1', subjects: ['physics'], checksum: '0123456789ab' };
  const shifts = (value: unknown) => ({ exam: 'neet', year: 2024, shifts: value });
  const answers: Readonly<Record<string, readonly unknown[]>> = {
    '/neet': [
      ...[7, {}, { exam: 'jeemain', years: [2024] }],
      ...[[], ['2024'], [-1]].map((years) => ({ exam: 'neet', years })),
    ],
    '/neet/2024': [
      ...[[], [7], [shift, shift], [{ ...shift, checksum: '0123456789AB' }]].map(shifts),
      { ...shifts([shift]), exam: 'jeemain' },
      { ...shifts([shift]), year: 2023 },
    ],
    [paper]: [
      {},
      {
        exam: 'neet',
        year: 2024,
        shift: shift.shift,
        subject: 'physics',
        questions: [],
        metadata: {},
      },
      { exam: 'neet', year: 2024, shift: shift.shift, subject: 'biology', questions: [] },
    ],
  };
  for (const [path, values] of Object.entries(answers)) {
    it(`for ${path} is reported, and removes nothing`, async () => {
      await pullMade();
      const before = await mirrorFiles(join(parent, 'copy'));
      if (path === paper) serveBank(service, { question: { topic: 'new' } });
      for (const value of values) {
        service.respond(path, (response) =>
          response.writeHead(200, json).end(JSON.stringify(value)),
        );
        const problems = problemsOf(await pullMade());
        assert.match(problems.join(), /: (the (response|paper) |the questions ).*\. Tried 8 times/);
        assert.deepEqual(await mirrorFiles(join(parent, 'copy')), before);
      }
    });
  }

  it('is reported if its JSON does not parse, or has no canonical form', async () => {
    for (const text of [
      '',
      '{"exam":',
      Buffer.from([0x22, 0xff, 0x22]),
      `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
    ]) {
      for (const path of ['/neet', paper]) {
        serveBank(service);
        service.respond(path, (response) => response.writeHead(200, json).end(text));
        assert.match(
          problemsOf(await pullMade()).join(),
          /the response (is not complete JSON|does not conform)/,
        );
      }
    }
    serveBank(service, { question: { topic: JSON.parse('"\\ud800"') } });
    assert.match(problemsOf(await pullMade()).join(), /cannot be canonicalized/);
  });

  it('is not requested again if it is a page, as of a network that requires a sign-in', async () => {
    for (const path of ['/neet', paper]) {
      serveBank(service);
      service.requests.length = 0;
      service.respond(path, (response) =>
        response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<html>'),
      );
      assert.match(
        problemsOf(await pullMade()).join(),
        /the response is "text\/html; charset=utf-8", not JSON/,
      );
      assert.equal(service.requests.filter((request) => request.path === path).length, 1);
    }
  });
});

describe('A redirect', () => {
  it('is not followed, so that the key goes nowhere else', async () => {
    for (const path of ['/neet/2024', paper, diagram])
      for (const code of [301, 302, 308]) {
        parent = await temporaryFolder();
        serveBank(service);
        service.respond(path, (response) =>
          response.writeHead(code, { location: `${elsewhere.url}${path}` }).end(),
        );
        const problems = problemsOf(await pullMade()).join();
        assert.ok(problems.includes(`redirects to "${elsewhere.url}${path}" (${code})`), problems);
        assert.deepEqual(elsewhere.requests, []);
      }
  });
});

describe('An endless body', () => {
  const bomb = gzipSync(Buffer.alloc(34_000_000), { level: 1 });
  const bodies: Readonly<Record<string, (response: ServerResponse) => void>> = {
    'that says its length': (response) =>
      pour(response.writeHead(200, { ...json, 'content-length': 10 ** 12 })),
    'that unfolds from a few bytes': (response) => {
      response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(bomb);
    },
  };
  for (const [kind, send] of Object.entries(bodies)) {
    it(`${kind} is not read to its end`, async () => {
      service.respond(diagram, send);
      assert.match(problemsOf(await pullMade()).join(), /larger than any file of a question bank/);
    });
  }
});

const megabyte = Buffer.alloc(1_000_000, ' ');

/** Sends a body without end. */
function pour(response: ServerResponse): void {
  response.on('error', () => undefined);
  const more = () => {
    while (!response.destroyed && response.write(megabyte));
  };
  response.on('drain', more);
  more();
}

function pullMade(): Promise<PullRun> {
  return pullHere(service.url, 'neet', join(parent, 'copy'), { key });
}
