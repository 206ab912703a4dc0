import { createHash, timingSafeEqual } from 'node:crypto';
import express, { type Request, Router } from 'express';
import type { KeyCheck, VerifyKey } from '../../key-check.ts';
import { allow, answer, answerError } from './answer.ts';

/** Bytes of a question: a token, and what else the protocol lets stand beside it. */
const longestBody = 16 * 1024;

/** RFC 7662, 2.1: who may not ask learns nothing (RFC 6749, 5.2). */
const challenge = { 'WWW-Authenticate': 'Basic realm="introspection"' };

/**
 * OAuth 2.0 Token Introspection (RFC 7662): tells a gateway whose a key is, and until when. The gateway
 * shows the secret as its client secret (RFC 6749, 2.3.1), under any client id, or as a bearer token.
 */
export function introspectionEndpoint(secret: string, verifyKey: VerifyKey): Router {
  const router = Router();
  router.post('/', express.urlencoded({ extended: false, limit: longestBody }), async (request, response) => {
    if (!showsSecret(request, secret)) return answerError(response, 401, 'invalid_client', challenge);
    const token: unknown = request.body?.token;
    if (typeof token !== 'string' || token === '') return answerError(response, 400, 'invalid_request');
    const check = await verifyKey(token);
    if (check.state === 'unavailable') return answerError(response, 503, 'The keys cannot be read.');
    return answer(response, 200, introspectionResponse(check));
  });
  router.all('/', allow('POST'));
  return router;
}

/** RFC 7662, 2.2: of a key that does not work, not even why. */
function introspectionResponse(check: KeyCheck): Record<string, unknown> {
  if (check.state !== 'valid') return { active: false };
  const { account, keyId, plan, expiresAt } = check;
  return {
    active: true,
    sub: account,
    client_id: keyId,
    plan,
    token_type: 'Bearer',
    // Whole seconds (RFC 7519, 2): a key never lives longer at a gateway than here.
    ...(expiresAt !== undefined && { exp: Math.floor(expiresAt / 1000) }),
  };
}

function showsSecret({ headers }: Request, secret: string): boolean {
  const expected = digest(secret);
  return shownSecrets(headers.authorization ?? '').some((shown) => timingSafeEqual(digest(shown), expected));
}

/** What an Authorization header may mean as the secret. Basic has it form-urlencoded; curl, as it is. */
function shownSecrets(authorization: string): readonly string[] {
  const bearer = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
  if (bearer !== undefined) return [bearer];
  const basic = /^Basic +(\S+)$/i.exec(authorization)?.[1];
  if (basic === undefined) return [];
  const [, secret] = /^[^:]*:(.*)$/s.exec(Buffer.from(basic, 'base64').toString()) ?? [];
  return secret === undefined ? [] : [secret, formDecode(secret) ?? secret];
}

function formDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** Of one length, whatever was shown. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
