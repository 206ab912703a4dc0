import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { runGateway } from '../../running-gateway.ts';
import { behindProxy, sharedGateway, skip } from '../set-ups.ts';
import { newUser, signedIn, Visitor } from './visitor.ts';

const json = { 'Content-Type': 'application/json' };
const noKey = 'key_00000000-0000-0000-0000-000000000000';

/** Routes with a body, and fields of each. Without a method, it is POST. */
const routes = {
  'sign-up/email': { name: 'Ada', ...newUser() },
  'sign-in/email': { ...newUser() },
  'sign-in/social': { provider: 'google', callbackURL: '/dashboard/' },
  'request-password-reset': { email: newUser().email, redirectTo: '/dashboard/reset-password/' },
  'reset-password': { token: 'a-token', newPassword: 'a phrase of words' },
  'sign-out': {},
  'change-password': { currentPassword: 'not the right one', newPassword: 'a phrase of words' },
  'DELETE account': { password: 'not the right one' },
  keys: { name: 'laptop', expiresIn: null },
  [`keys/${noKey}/rotate`]: { overlap: 60 },
};

/** Returns JSON of nested arrays, short enough for every route. */
const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

const values = [
  ...['null', 'true', '5', '-1e308', '""', '"\\ud800"', '"a\\nb"', '[]', '["a@example.org"]', '{}'],
  ...['{"toString":1}', '{"length":5}', '{"__proto__":{"a":1}}', deep(500)],
];

describe('A request body', { skip }, async () => {
  if (skip) return;
  const google = { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' };
  const mail = { SMTP_URL: 'smtp://127.0.0.1:9' };
  const running = await runGateway({ ...behindProxy, ...google, ...mail });
  after(running.close);
  const withoutMail = await sharedGateway();
  const loggedBefore = withoutMail.logged.length;
  const ada = await signedIn(withoutMail.authUrl);

  /** Sends each request from a new address, because limits count by address. */
  function send(
    route: string,
    body: string | Uint8Array<ArrayBuffer>,
    headers: Readonly<Record<string, string>> = json,
  ) {
    const [path = '', method = 'POST'] = route.split(' ').reverse();
    const isSignedIn = /^(keys|change-password|account)/.test(path);
    const visitor = isSignedIn ? ada.elsewhere() : new Visitor(running.authUrl);
    return visitor.request(method, path, body, headers);
  }

  for (const [route, fields] of Object.entries(routes)) {
    it(`must be short JSON: ${route}`, async () => {
      const text = JSON.stringify(fields);
      assert.equal((await send(route, text, { 'Content-Type': 'text/plain' })).status, 415);
      const broken = await send(route, '{');
      assert.deepEqual([broken.status, broken.body], [400, { error: 'The body is not JSON.' }]);
      const long = await send(route, JSON.stringify({ ...fields, more: 'x'.repeat(9000) }));
      assert.deepEqual([long.status, long.body], [413, { error: 'The body is too long.' }]);
    });

    it(`must not contain a null character: ${route}`, async () => {
      for (const name of Object.keys(fields)) {
        const { status } = await send(route, JSON.stringify({ ...fields, [name]: 'a\0b@example.org' }));
        assert.equal(status, 400, name);
      }
    });

    it(`never causes a 5xx response: ${route}`, async () => {
      for (const whole of ['[]', '{}', '[[]]', deep(500), `{"__proto__":${deep(500)}}`]) {
        const { status } = await send(route, whole);
        assert.ok(status < 500, `${status} to ${whole}`);
      }
      const text = JSON.stringify({ ...fields, place: null });
      for (const name of Object.keys(fields)) {
        for (const value of values) {
          const { place: _place, ...others } = JSON.parse(text);
          delete others[name];
          const body = `{"${name}":${value},${JSON.stringify(others).slice(1)}`.replace(/,\}$/, '}');
          const { status, text: responseText } = await send(route, body);
          assert.ok(status < 500, `${status} to ${body}`);
          assert.doesNotMatch(responseText, /\[body|Invalid input/, 'a message for programmers');
        }
      }
    });
  }

  it('must be JSON in UTF-8, whatever else a parser would accept', async () => {
    const text = JSON.stringify(routes['sign-in/email']);
    const statusOf = async (body: string | Uint8Array<ArrayBuffer>, headers: Readonly<Record<string, string>>) =>
      (await send('sign-in/email', body, headers)).status;
    for (const type of [
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/json; charset=latin1',
    ]) {
      assert.equal(await statusOf(text, { 'Content-Type': type }), 415, type);
    }
    for (const broken of ['"a word"', '5', 'null', '{"a":1}}', `${text},`, '\u{feff}{'])
      assert.equal(await statusOf(broken, json), 400, broken);
    assert.equal(await statusOf(text, { ...json, 'Content-Encoding': 'lzma' }), 415);
    assert.equal(await statusOf(text, { ...json, 'Content-Encoding': 'gzip' }), 400);
    const long = gzipSync(JSON.stringify({ more: 'x'.repeat(9000) }));
    assert.equal(await statusOf(long, { ...json, 'Content-Encoding': 'gzip' }), 413);
  });

  it('may contain an email address of at most 254 characters', async () => {
    for (const [length, expected] of [
      [60, 200],
      [242, 200],
      [243, 400],
      [7000, 400],
    ] as const) {
      const random = Buffer.from(crypto.getRandomValues(new Uint8Array(length)))
        .toString('hex')
        .slice(0, length);
      const user = { ...newUser(), email: `${random}@example.org` };
      const { status } = await new Visitor(withoutMail.authUrl).post('sign-up/email', { name: 'Ada', ...user });
      assert.equal(status, expected, `${length} characters and @example.org`);
    }
  });

  it('leaves no error in the log', () => {
    assert.doesNotMatch(
      [...running.logged, ...withoutMail.logged.slice(loggedBefore)].join('\n'),
      /failed inside|Accounts failed|TypeError/,
    );
  });
});
