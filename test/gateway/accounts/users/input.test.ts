import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { runGateway } from '../../running-gateway.ts';
import { behindProxy, sharedGateway } from '../set-ups.ts';
import { newUser, signedIn, Visitor } from './visitor.ts';

const json = { 'Content-Type': 'application/json' };

/** Routes with a body, and fields of each. Without a method, it is POST. */
const routes: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'sign-up/email': { ...newUser(), callbackURL: '/dashboard/' },
  'sign-in/email': { ...newUser() },
  'sign-in/social': { provider: 'google', callbackURL: '/dashboard/' },
  'request-password-reset': { email: newUser().email },
  'reset-password': { token: 'a-token', newPassword: 'a phrase of words' },
  'sign-out': {},
  'change-password': { currentPassword: 'not the right one', newPassword: 'a phrase of words' },
  account: { quotaMail: true },
  'DELETE account': { password: 'not the right one' },
  keys: { name: 'laptop', expiresIn: null },
  'keys/key_00000000-0000-0000-0000-000000000000/rotate': { overlap: 60 },
};

/** Nested arrays, short enough for every route. */
const deep = '['.repeat(500) + ']'.repeat(500);

const values = [
  ...['null', 'true', '-1e308', '""', '"\\ud800"', '"a\\nb"', '["a@example.org"]'],
  ...['{"toString":1}', '{"length":5}', '{"__proto__":{"a":1}}', deep],
];

describe('A request body', async () => {
  const google = { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' };
  const running = await runGateway({ ...behindProxy, ...google, SMTP_URL: 'smtp://127.0.0.1:9' });
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
    it(`never causes a 5xx response: ${route}`, async () => {
      const bodies = ['[]', '{}', deep, `{"__proto__":${deep}}`];
      for (const name of Object.keys(fields)) {
        for (const value of values) {
          bodies.push(JSON.stringify({ ...fields, [name]: 'PLACE' }).replace('"PLACE"', value));
        }
      }
      for (const body of bodies) {
        const { status, text } = await send(route, body);
        assert.ok(status < 500, `${status} to ${body}`);
        assert.doesNotMatch(text, /\[body|Invalid input/, 'a message for programmers');
      }
    });
  }

  it('must be JSON in UTF-8, whatever else a parser would accept', async () => {
    const text = JSON.stringify(routes['sign-in/email']);
    const broken = await send('sign-in/email', '{');
    assert.deepEqual([broken.status, broken.body], [400, { error: 'The body is not JSON.' }]);
    const long = gzipSync(JSON.stringify({ more: 'x'.repeat(9000) }));
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const rows: readonly (readonly [
      number,
      string | Uint8Array<ArrayBuffer>,
      Readonly<Record<string, string>>,
    ])[] = [
      [415, text, form],
      [413, JSON.stringify({ more: 'x'.repeat(9000) }), json],
      [400, '{"more":"a\\u0000b"}', json],
      [415, text, { 'Content-Type': 'application/json; charset=latin1' }],
      [415, text, { ...json, 'Content-Encoding': 'lzma' }],
      [400, text, { ...json, 'Content-Encoding': 'gzip' }],
      [413, long, { ...json, 'Content-Encoding': 'gzip' }],
      ...['null', '{"a":1}}'].map((body) => [400, body, json] as const),
    ];
    for (const [status, body, headers] of rows) {
      assert.equal((await send('sign-in/email', body, headers)).status, status, `${body}`);
    }
  });

  it('may contain an email address of at most 254 characters', async () => {
    for (const [length, expected] of [
      [242, 200],
      [243, 400],
      [3500, 400],
    ] as const) {
      const user = newUser();
      const email = `${user.email.split('@')[0]}`.padEnd(length, 'x');
      const { status } = await new Visitor(withoutMail.authUrl).signUp({
        ...user,
        email: `${email}@example.org`,
      });
      assert.equal(status, expected, `${length} characters and @example.org`);
    }
  });

  it('may not set a password that is common, or from the own address', async () => {
    const easy = ['Passw0rd2024', 'India@2024!', '1234567890', 'aaaaaaaaaa', 'qwerty1234567'];
    for (const password of easy) {
      const visitor = new Visitor(withoutMail.authUrl);
      const { status, body } = await visitor.signUp({ ...newUser(), password });
      assert.deepEqual(
        [status, /easy to guess.*openssl rand -base64 32$/.test(body.error)],
        [400, true],
        password,
      );
    }
    const email = 'nilofar.rao@school.example';
    for (const password of [email, 'Nilofar@2026']) {
      const { body } = await ada.elsewhere().signUp({ email, password });
      assert.match(body.error, /easy to guess/, password);
    }
    const [newPassword] = easy;
    for (const [path, more] of [
      ['reset-password', { token: 'a-token' }],
      ['change-password', { currentPassword: 'not the right one' }],
    ] as const) {
      assert.match(
        (await ada.elsewhere().post(path, { newPassword, ...more })).body.error,
        /easy to guess/,
        path,
      );
    }
    const good = ['correct horse battery', '83051627940361', 'xK7qpw0vZt', 'मेरा लंबा वाक्य'];
    for (const password of good)
      assert.equal((await ada.elsewhere().signUp({ ...newUser(), password })).status, 200);
  });

  it('leaves no error in the log', () => {
    const logged = [...running.logged, ...withoutMail.logged.slice(loggedBefore)].join('\n');
    assert.doesNotMatch(logged, /failed inside|Accounts failed|TypeError/);
  });
});
