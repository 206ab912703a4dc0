import { createHash, timingSafeEqual } from 'node:crypto';
import express, { type Request, type RequestHandler, type Router } from 'express';
import { percentDecoded } from '../../../build/release/urls.ts';
import type { KeyCheck, VerifyKey } from '../../access/require-key.ts';
import { addRoute, reject, sendContinue, sendJson } from '../middleware.ts';

/** Bytes of a body: a token, and the other parameters that the protocol allows. */
const maxBody = 16 * 1024;

/** For gateways without the right secret (RFC 7662, 2.1, and RFC 6749, 5.2). */
const challenge = { 'WWW-Authenticate': 'Basic realm="introspection"' };

/**
 * OAuth 2.0 Token Introspection (RFC 7662): checks a key for a gateway. The gateway sends the secret as its client
 * secret (RFC 6749, 2.3.1), with any client id, or as a bearer token.
 */
export function addIntrospection(router: Router, secret: string, verifyKey: VerifyKey): void {
  const introspect: RequestHandler = async (request, response) => {
    if (!hasSecret(request, secret)) return reject(response, 401, 'invalid_client', challenge);
    const token: unknown = request.body?.token;
    if (typeof token !== 'string' || token === '') return reject(response, 400, 'invalid_request');
    const check = await verifyKey(token);
    if (check.state === 'unavailable') return reject(response, 503, 'The keys cannot be read.');
    return sendJson(response, 200, introspectionResponse(check));
  };
  const parseBody = express.urlencoded({ extended: false, limit: maxBody });
  addRoute(router, '/introspect', { POST: [sendContinue, parseBody, introspect] });
}

/** Does not say why a key is inactive (RFC 7662, 2.2). */
function introspectionResponse(check: KeyCheck): Record<string, unknown> {
  if (check.state !== 'valid') return { active: false };
  const { account, keyId, plan, expiresAt } = check;
  return {
    active: true,
    sub: account,
    client_id: keyId,
    plan,
    token_type: 'Bearer',
    // Whole seconds (RFC 7519, 2): rounded down, so that no gateway accepts a key for longer. JSON omits undefined.
    exp: expiresAt && Math.floor(expiresAt / 1000),
  };
}

function hasSecret({ headers }: Request, secret: string): boolean {
  const expected = digest(secret);
  return sentSecrets(headers.authorization ?? '').some((sent) =>
    timingSafeEqual(digest(sent), expected),
  );
}

/** The secrets that an Authorization header may contain. Basic encodes them as a form does, but curl does not. */
function sentSecrets(authorization: string): readonly string[] {
  const bearer = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
  if (bearer !== undefined) return [bearer];
  const basic = /^Basic +(\S+)$/i.exec(authorization)?.[1];
  if (basic === undefined) return [];
  const [, secret] = /^[^:]*:(.*)$/s.exec(Buffer.from(basic, 'base64').toString()) ?? [];
  return secret === undefined
    ? []
    : [secret, percentDecoded(secret.replaceAll('+', ' ')) ?? secret];
}

/** A digest, because `timingSafeEqual` compares equal lengths only. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
