import type { Bank } from '../../read/bank.ts';
import type { Rule } from '../rule.ts';

export const strayFile: Rule<Bank> = {
  name: 'stray-file',
  description:
    'Every file of the content folder stands at a place that the build knows; another would not be published.',
  severity: 'error',
  *check(bank) {
    for (const path of bank.strays) {
      yield {
        path,
        pointer: '',
        message:
          'This is not published. A bank holds <exam>/exam.json, <exam>/<year>/<shift>/<subject>.json and <exam>/<year>/<shift>/diagrams/<file>, as files, not as links.',
      };
    }
  },
};
