/** node:http alone, with the checks and the header fields of the gateway, by hand. */
import { createHash, hash } from 'node:crypto';
import { createServer } from 'node:http';
import { host, key, limits, port, readQuestions, ready } from './settings.js';

const accounts = new Map([
  [hash('sha256', key), { times: new Float64Array(2 ** 20), first: 0, length: 0, used: 0 }],
]);
const shift = new Map([['physics.json', resource(readQuestions())]]);
const exams = new Map([['jeemain', new Map([['2000', new Map([['2000-01-01-s1', shift]])]])]]);

function resource({ plain, gzip }) {
  return { plain: variant(plain), gzip: variant(gzip, 'gzip') };
}

function variant(body, coding) {
  const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`;
  const fields = [
    'ETag',
    etag,
    'Cache-Control',
    'private, no-cache',
    'Vary',
    'Authorization, Accept-Encoding',
  ];
  fields.push('X-Content-Type-Options', 'nosniff');
  const head = [...fields, 'Content-Type', 'application/json; charset=utf-8'];
  head.push('Content-Length', String(body.length), ...(coding ? ['Content-Encoding', coding] : []));
  return { body, etag, fields, head };
}

// Idle connections stay open as long as the gateway's.
createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
  const { method, headers, url } = request;
  if (method !== 'GET') return refuse(response, 405, 'Method not allowed');
  const segments = split(url);
  if (!segments || headers.host === undefined) return refuse(response, 400, 'Malformed URL');
  const [exam, year, name, file] = segments;
  const token = /^Bearer ([A-Za-z0-9\-._~+/]+=*)$/.exec(headers.authorization ?? '')?.[1];
  if (token === undefined) return refuse(response, 401, 'Missing API key');
  const account = accounts.get(hash('sha256', token));
  if (!account) return refuse(response, 403, 'Invalid or expired API key');
  const standing = take(account);
  if (!standing) return refuse(response, 429, 'Rate limit exceeded');
  const found = exams.get(exam)?.get(year)?.get(name)?.get(file);
  if (!found) return refuse(response, 404, 'File not found');
  const { body, etag, fields, head } =
    found[accepts(headers['accept-encoding']) ? 'gzip' : 'plain'];
  if (headers['if-none-match'] === etag) {
    response.writeHead(304, [...fields, ...standing]);
    response.end();
  } else {
    response.writeHead(200, [...head, ...standing]);
    response.end(body);
  }
}).listen(port, host, ready);

function split(url) {
  const path = url.split('?', 1)[0];
  const segments = path.slice(1).split('/');
  for (const [index, segment] of segments.entries()) {
    if (segment === '' || segment === '.' || segment === '..') return undefined;
    if (segment.includes('%')) {
      try {
        segments[index] = decodeURIComponent(segment);
      } catch {
        return undefined;
      }
    }
  }
  return segments.length === 4 && /^\d{4}$/.test(segments[1]) ? segments : undefined;
}

function accepts(coding) {
  return coding?.includes('gzip') ?? false;
}

/** Applies the rate in a sliding second and the monthly quota. Returns the RateLimit fields, or undefined if rejected. */
function take(account) {
  const now = Date.now();
  const elapsed = performance.now();
  const { times } = account;
  while (account.length > 0 && times[account.first] <= elapsed - 1000) {
    account.first = (account.first + 1) % times.length;
    account.length -= 1;
  }
  if (account.length >= limits.perSecond || account.used >= limits.perMonth) return undefined;
  times[(account.first + account.length) % times.length] = elapsed;
  account.length += 1;
  account.used += 1;
  const date = new Date(now);
  const end = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
  const span = (end - Date.UTC(date.getUTCFullYear(), date.getUTCMonth())) / 1000;
  const policy = `"rate";q=${limits.perSecond};w=1, "quota";q=${limits.perMonth};w=${span}`;
  const rate = `"rate";r=${limits.perSecond - account.length};t=1`;
  const quota = `"quota";r=${limits.perMonth - account.used};t=${Math.ceil((end - now) / 1000)}`;
  return ['RateLimit-Policy', policy, 'RateLimit', `${rate}, ${quota}`];
}

function refuse(response, status, error) {
  const body = JSON.stringify({ error });
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
  });
  response.end(body);
}
