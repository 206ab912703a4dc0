/**
 * The golden record: what every request of `requests.json` gets, byte for byte, in both set-ups. `RECORD=1` writes
 * `record.json` again; its difference shows what a change of the program changes for clients.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import { revokeKey } from '../../gateway/accounts/keys.ts';
import { sendBytes } from './raw-request.ts';
import requests from './requests.json' with { type: 'json' };
import { defaultSetUp, introspectionAt, runGateway } from './running-gateway.ts';

const secret = introspectionAt('http://x/')['INTROSPECTION_SECRET'] ?? '';
const running = await runGateway({
  CORS_ORIGINS: 'https://app.example.org',
  PUBLIC_URL: 'http://papers.example.org',
  ...(defaultSetUp === 'embedded' && { INTROSPECTION_SECRET: secret }),
});
const { createKey } = running;
const { id, key: revoked } = await createKey('reader');
await revokeKey(running.database, running.system, id);
const { key } = await createKey('reader');
const { key: expired } = await createKey('reader', { lifetime: 1 });
const { key: spent, account } = await createKey('spender', { plan: 'free' });
const spender = await running.database
  .selectFrom('accounts')
  .select('id')
  .where('name', '=', account)
  .executeTakeFirstOrThrow();
await running.addUsage(spender.id, 999);
await running.pass(2);
after(() => running.close());

/** What requests refer to. */
const values: Record<string, string> = {
  paper: '/neet/2024/s1/physics.json',
  authorization: `Authorization: Bearer ${key}`,
  key,
  revoked,
  expired,
  spent,
  secret,
  cookie: 'none',
  id: 'none',
  long: 'x'.repeat(9000),
};

/** Patterns of what differs from run to run, and what the record has instead. */
const masks: readonly (readonly [RegExp, string])[] = [
  [/^Date: .*$/m, 'Date: DATE'],
  [/^X-Request-Id: .*$/m, 'X-Request-Id: ID'],
  [/^ETag: "[^"]*"$/m, 'ETag: TAG'],
  [/\b(key|acc)_[\w-]{36}/g, '$1_ID'],
  [/pfx_\w{49}/g, 'KEY'],
  [/pfx_\w{4}\b/g, 'START'],
  [/"id":"\w{32}"/g, '"id":"ID"'],
  [/"exp":\d+/g, '"exp":TIME'],
  [/session_token=[^;]+/g, 'session_token=TOKEN'],
  [/device=[^;]+/g, 'device=TOKEN'],
  [/20\d\d-\d\d-\d\dT[\d:.]+Z/g, 'TIME'],
  [/"days":\[.*?\]/, '"days":[]'],
  [/"month":"[\d-]+"/g, '"month":"MONTH"'],
  [/w=\d{5,}/g, 'w=MONTH'],
  [/t=\d{3,}/g, 't=MONTH'],
  [/^Retry-After: \d{3,}$/m, 'Retry-After: MONTH'],
  [/r=\d{5,}/g, 'r=MANY'],
];

/** Lines of every head, which the record leaves out. */
const ofAll = ['\r\nX-Content-Type-Options: nosniff', '\r\nConnection: close'];

/** A response as the record has it: its head, and its body, of a long one only that it is there. */
function recorded(response: string): readonly [head: string, body: string] {
  const end = response.indexOf('\r\n\r\n');
  const [head, content] = [response.slice(0, end), response.slice(end + 4)];
  for (const line of ofAll) assert.ok(head.includes(line), head);
  const own = ofAll.reduce((rest, line) => rest.replace(line, ''), head);
  const isLong = content.length > 1000 || /^ETag:/m.test(head);
  const length = isLong ? /Content-Length: .*/ : `Content-Length: ${Buffer.byteLength(content)}`;
  const masked = (text: string) =>
    masks.reduce((rest, [pattern, by]) => rest.replace(pattern, by), text);
  return [
    masked(own.replaceAll('\r\n', '\n').replace(length, 'Content-Length: LENGTH')),
    isLong ? 'BODY' : masked(content),
  ];
}

async function send(request: string): Promise<readonly [head: string, body: string]> {
  const filled = request.replace(/\{(\w+)\}/g, (all, name: string) => values[name] ?? all);
  const [head = '', ...body] = filled.split('\n\n');
  const text = body.join('\n\n').replaceAll('\n', '\r\n');
  const [line = '', ...lines] = head.split('\n');
  const has = (name: string) => lines.some((field) => field.startsWith(`${name}:`));
  if (!has('Host')) lines.push('Host: papers.example.org');
  if (!has('Connection')) lines.push('Connection: close');
  if (text !== '' && !has('Content-Length') && !has('Transfer-Encoding'))
    lines.push(`Content-Length: ${text.length}`);
  if (text.startsWith('{') && !has('Content-Type')) lines.push('Content-Type: application/json');
  const isWhole = !line.includes(' ') || line.includes(' HTTP');
  const target = line.includes('/auth/') ? new URL(running.authUrl).origin : running.baseUrl;
  const first = isWhole ? line : `${line} HTTP/1.1`;
  const response = await sendBytes(target, [first, ...lines, '', text].join('\r\n'));
  const cookies = [...response.matchAll(/^Set-Cookie: ([^;]+=[^;]+)/gm)].map(([, pair]) => pair);
  if (cookies.length > 0 && values['cookie'] === 'none') values['cookie'] = cookies.join('; ');
  const created = /"(key_[\w-]{36})"/.exec(response)?.[1];
  if (values['id'] === 'none' && created !== undefined) values['id'] = created;
  return recorded(response);
}

type Kind = keyof typeof requests;
const kinds = Object.keys(requests) as Kind[];
const file = new URL('record.json', import.meta.url);
const isRecording = process.env['RECORD'] !== undefined;
/** Names of requests by the head and the body of the response that they get. */
const record: Record<Kind, Record<string, Record<string, string[]>>> = isRecording
  ? { gateway: {}, accounts: {} }
  : JSON.parse(readFileSync(file, 'utf8'));

for (const kind of kinds) {
  describe(`The golden record of ${kind}`, () => {
    for (const [name = '', request = ''] of requests[kind])
      it(name, async () => {
        const [head, body] = await send(request);
        if (isRecording) {
          const bodies = record[kind][head] ?? {};
          record[kind][head] = { ...bodies, [body]: [...(bodies[body] ?? []), name] };
        }
        assert.ok(record[kind][head]?.[body]?.includes(name), `${head}\n\n${body}`);
      });
  });
}

after(() => {
  if (isRecording) writeFileSync(file, `${JSON.stringify(record, undefined, 2)}\n`);
});
