import assert from 'node:assert/strict';
import type { Client } from 'undici';
import type { LoadAccount } from './load.ts';
import { statusFor } from './turnover.ts';

/** Counts what is accepted of an account with a small quota, beside all else. */
export class ExactQuota {
  readonly #account: LoadAccount;
  readonly #perMonth: number;
  #accepted = 0;
  #refused = 0;
  #months = 0;

  constructor(account: LoadAccount, perMonth: number) {
    this.#account = account;
    this.#perMonth = perMonth;
  }

  get account(): string {
    return this.#account.id;
  }

  /** One more request. @returns its status */
  async ask(client: Client): Promise<number> {
    const status = await statusFor(client, this.#account.key);
    assert.ok(status === 200 || status === 429, String(status));
    if (status === 200) this.#accepted += 1;
    else this.#refused += 1;
    return status;
  }

  /** Spends what is left of the month, and holds it against the quota; the next month follows. */
  async endMonth(client: Client): Promise<void> {
    this.#refused = 0;
    while (this.#refused < 10) await this.ask(client);
    assert.equal(this.#accepted, this.#perMonth * (this.#months + 1), 'accepted until the end of the month');
    this.#months += 1;
  }
}
