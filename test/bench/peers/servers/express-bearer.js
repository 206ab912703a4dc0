import { hash } from 'node:crypto';
import { key } from './settings.js';

const accounts = new Map([[hash('sha256', key), 'account']]);

/** Lets a request on if it bears the key. */
export function bearer(request, response, next) {
  const token = /^Bearer (\S+)$/.exec(request.get('Authorization') ?? '')?.[1];
  request.account = token === undefined ? undefined : accounts.get(hash('sha256', token));
  if (request.account !== undefined) return next();
  return response.status(403).json({ error: 'Invalid or expired API key' });
}
