import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { after, afterEach, beforeEach, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { temporaryFolder } from '../bank-folder.ts';
import { type FakeService, serveBank, startFakeService } from './fake-service.ts';
import { mirrorFiles, pullHere } from './served-bank.ts';

const key = 'pfx_secret';
const pack = '/neet/2024/2024-05-05-s1.zip';
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

/** Pulls the bank of the service. @returns why the mirror is not complete */
async function problemOfPull(): Promise<string> {
  return (await pullHere(service.url, 'neet', join(parent, 'copy'), { key })).problem;
}

/** Makes the service send a text in place of JSON. */
function respondWith(path: string, text: string | Buffer): void {
  service.respond(path, (response) => response.writeHead(200, json).end(text));
}

describe('Names in the metadata', () => {
  const bad = [
    ...['../../../outside', '/etc/outside', '..', '', 'a\\b', 'a\u0000b'],
    ...['\u001b[31mred', { toString: 'physics' }],
  ];
  for (const [kind, names] of [
    ['shift', [...bad, '2024-05-05', '__proto__']],
    ['subject', [...bad, 7, 'Physics', 'physics.json', '__proto__']],
    ['file', [...bad, '%2e%2e%2foutside', '-rf']],
  ] as const) {
    it(`never become a file if the ${kind} is invalid`, async () => {
      for (const name of names) {
        parent = await temporaryFolder();
        serveBank(service, { [kind]: name });
        const problem = await problemOfPull();
        assert.match(problem, /does not conform/, JSON.stringify(name));
        assert.ok([...problem].every((character) => character >= ' '));
        assert.deepEqual(await readdir(parent), ['copy']);
        assert.deepEqual([...(await mirrorFiles(join(parent, 'copy'))).keys()], []);
      }
    });
  }
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
  const cases: readonly (readonly [string, string, (response: ServerResponse) => void, RegExp])[] =
    [
      [
        'does not speak HTTP',
        '/neet',
        ({ socket }) => socket?.end('SSH-2.0-OpenSSH\r\n'),
        /HTTP.* Tried 8 times/,
      ],
      [
        'asks to wait for years',
        pack,
        forYears,
        /quota of 1 request is used up\. It resets at 20\d\d-/,
      ],
      ['sends an error without end', '/neet', endless, /status 500\. Tried 8 times/],
    ];
  for (const [name, path, respond, message] of cases) {
    it(`${name} ends the sync with a sentence`, async () => {
      service.respond(path, respond);
      assert.match(await problemOfPull(), message);
    });
  }
});

describe('A response of the wrong shape', () => {
  const place = { exam: 'neet', year: 2024, shift: '2024-05-05-s1' };
  const shift = { shift: place.shift, subjects: ['physics'], checksum: '0123456789ab' };
  const shifts = (value: unknown) => ({ exam: 'neet', year: 2024, shifts: value });
  const answers: Readonly<Record<string, readonly unknown[]>> = {
    '/neet': [
      ...[7, null, {}, { exam: 'jeemain', years: [2024] }],
      ...[[], [-1], ['../x'], undefined].map((years) => ({ exam: 'neet', years })),
    ],
    '/neet/2024': [
      ...[[], [7], [{ ...shift, checksum: '0123456789AB' }]].map(shifts),
      { ...shifts([shift]), exam: 'jeemain' },
      { ...shifts([shift]), year: 2023 },
    ],
    [pack]: [
      {},
      { ...place, subject: 'physics', questions: [], metadata: {} },
      { ...place, subject: 'biology', questions: [] },
    ],
  };
  for (const [path, values] of Object.entries(answers)) {
    it(`for ${path} is reported, and removes nothing`, async () => {
      await problemOfPull();
      const before = await mirrorFiles(join(parent, 'copy'));
      for (const value of values) {
        if (path !== pack) respondWith(path, JSON.stringify(value));
        else serveBank(service, { question: { topic: 'new' }, paper: JSON.stringify(value) });
        assert.match(await problemOfPull(), /not (for|conform|match)/, JSON.stringify(value));
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
      serveBank(service, { paper: text });
      assert.match(await problemOfPull(), /not (complete JSON|for)/);
      respondWith('/neet', text);
      assert.match(await problemOfPull(), /not (complete JSON|for)/);
    }
    serveBank(service, { question: { topic: JSON.parse('"\\ud800"') } });
    assert.match(await problemOfPull(), /does not conform/);
  });

  it('is not requested again if it is a page, as of a network that requires a sign-in', async () => {
    service.respond('/neet', (response) =>
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<html>'),
    );
    assert.match(await problemOfPull(), /the response is not JSON\. Is that the address/);
    assert.equal(service.requests.length, 1);
  });
});

it('A redirect is not followed, so that the key goes nowhere else', async () => {
  for (const path of ['/neet/2024', pack])
    for (const code of [301, 302, 308]) {
      serveBank(service);
      service.respond(path, (response) =>
        response.writeHead(code, { location: `${elsewhere.url}${path}` }).end(),
      );
      const problem = await problemOfPull();
      assert.ok(problem.includes(`redirects to "${elsewhere.url}${path}" (${code})`), problem);
      assert.deepEqual(elsewhere.requests, []);
    }
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
      service.respond('/neet', send);
      assert.match(await problemOfPull(), /larger than any file of a question bank/);
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
