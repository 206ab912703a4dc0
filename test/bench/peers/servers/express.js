/** Express with express-rate-limit: a route as in its guide, with a response from memory. */
import { hash } from 'node:crypto';
import express from 'express';
import { rateLimit } from 'express-rate-limit';
import { host, key, limits, path, port, readQuestions, ready } from './settings.js';

const accounts = new Map([[hash('sha256', key), 'account']]);

/** Accepts a request with the key. */
function bearer(request, response, next) {
  const token = /^Bearer (\S+)$/.exec(request.get('Authorization') ?? '')?.[1];
  request.account = token === undefined ? undefined : accounts.get(hash('sha256', token));
  if (request.account !== undefined) return next();
  return response.status(403).json({ error: 'Invalid or expired API key' });
}

const limit = rateLimit({
  windowMs: 1000,
  limit: limits.perSecond,
  standardHeaders: 'draft-8',
  keyGenerator: ({ account }) => account,
});
const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Encoding': 'gzip' };

const app = express();
const { gzip } = readQuestions();
app.get('/:exam/:year/:shift/:file', bearer, limit, ({ params }, response) => {
  const { exam, year, shift, file } = params;
  if (`${exam}/${year}/${shift}/${file}` !== path)
    return response.status(404).json({ error: 'File not found' });
  return response
    .set(headers)
    .set({ 'Cache-Control': 'private, no-cache' })
    .vary('Authorization')
    .send(gzip);
});
app.listen(port, host, ready);
