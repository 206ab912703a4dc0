import { checkContent } from '../../../../build/check/check-content.ts';
import { examineContent } from '../../../../build/check/examine-content.ts';
import { LocalExaminer } from '../../../../build/check/local-examiner.ts';
import { PassedFormulas } from '../../../../build/check/passed-formulas.ts';
import { scopeOf } from '../../../../build/check/scope.ts';
import { Work } from '../../../../build/check/work.ts';
import { findContent } from '../../../../build/content/find.ts';
import type { Report } from '../../../../build/report/diagnostic.ts';
import { testNow } from '../../../build/test-now.ts';

const nothing = { exam: () => undefined, shift: () => undefined, save: async () => undefined };

/**
 * All checks of content, as `npm run validate` makes them, again and again in this process: what is remembered is which
 * formulas KaTeX has set.
 */
export class Checks {
  readonly #contentDir: string;
  readonly #formulas: PassedFormulas;

  private constructor(contentDir: string, formulas: PassedFormulas) {
    this.#contentDir = contentDir;
    this.#formulas = formulas;
  }

  static async of(contentDir: string, dataDir: string): Promise<Checks> {
    const formulas = await PassedFormulas.open(dataDir);
    // Written after every check, it would take longer than the check.
    const unsaved: PassedFormulas = Object.create(formulas, { save: { value: async () => undefined } });
    return new Checks(contentDir, unsaved);
  }

  async report(): Promise<Report> {
    const content = await findContent(this.#contentDir);
    const scope = scopeOf(content);
    const work = new Work({
      ...{ contentDir: this.#contentDir, now: testNow.getTime() },
      ...{ passedFormulas: this.#formulas.table.words, passedFiles: new Uint32Array() },
    });
    const examined = await examineContent({
      ...{ content, scope, recollection: nothing },
      openFormulas: async () => this.#formulas,
      startExaminer: async () => new LocalExaminer(work),
    });
    return checkContent(this.#contentDir, content, scope, examined);
  }
}
