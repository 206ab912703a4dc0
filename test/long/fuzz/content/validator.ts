import type { Report } from '../../../../build/check/diagnostic.ts';
import { ResultCache } from '../../../../build/check/result-cache.ts';
import { validateInThread } from '../../../build/check/validate-in-thread.ts';
import { testNow } from '../../../build/test-now.ts';

/**
 * Validates content as `npm run validate` does, again and again in this process. Only the formulas that KaTeX accepts are
 * reused.
 */
export class Validator {
  readonly #contentDir: string;
  readonly #dataDir: string;
  readonly #cache: ResultCache;

  private constructor(contentDir: string, dataDir: string, cache: ResultCache) {
    this.#contentDir = contentDir;
    this.#dataDir = dataDir;
    this.#cache = cache;
  }

  static async of(contentDir: string, dataDir: string): Promise<Validator> {
    return new Validator(contentDir, dataDir, await ResultCache.open(dataDir));
  }

  report(): Promise<Report> {
    const setting = { contentDir: this.#contentDir, dataDir: this.#dataDir, now: testNow };
    return validateInThread(setting, undefined, this.#cache);
  }
}
