import assert from 'node:assert/strict';
import type { Client } from 'undici';
import type { Accounts } from './accounts.ts';

const path = '/neet/2024/s1/physics.json';

/** Creates a key, uses and revokes it, and checks that it is then rejected. */
export async function useAndRevokeKey(
  client: Client,
  accounts: Accounts,
): Promise<{ readonly accepted: number; readonly account: string }> {
  const { id, key, keyId } = await accounts.create('turnover', 'roomy');
  assert.equal(await statusFor(client, key), 200);
  assert.equal(await statusFor(client, key), 200);
  await accounts.revoke(keyId);
  for (let time = 0; time < 3; time += 1) assert.equal(await statusFor(client, key), 403);
  return { accepted: 2, account: id };
}

/** Requests a paper with a key. @returns the status */
export async function statusFor(client: Client, key: string): Promise<number> {
  const { statusCode, body } = await client.request({
    method: 'GET',
    path,
    headers: { authorization: `Bearer ${key}` },
  });
  await body.dump();
  return statusCode;
}
