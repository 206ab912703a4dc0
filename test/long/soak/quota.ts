import assert from 'node:assert/strict';
import type { Client } from 'undici';
import type { LoadAccount } from './load.ts';
import { statusFor } from './revoked-key.ts';

/** Uses up the small quota of an account, and counts its accepted requests. */
export class ExactQuota {
  readonly #account: LoadAccount;
  readonly #perMonth: number;
  #accepted = 0;
  #rejected = 0;
  #months = 0;

  constructor(account: LoadAccount, perMonth: number) {
    this.#account = account;
    this.#perMonth = perMonth;
  }

  get account(): string {
    return this.#account.id;
  }

  /** Sends a request. @returns its status */
  async send(client: Client): Promise<number> {
    const status = await statusFor(client, this.#account.key);
    assert.ok(status === 200 || status === 429, String(status));
    if (status === 200) this.#accepted += 1;
    else this.#rejected += 1;
    return status;
  }

  /** Uses up the quota of the month, and checks the number of accepted requests. */
  async endMonth(client: Client): Promise<void> {
    this.#rejected = 0;
    while (this.#rejected < 10) await this.send(client);
    assert.equal(this.#accepted, this.#perMonth * (this.#months + 1), 'accepted until the end of the month');
    this.#months += 1;
  }
}
