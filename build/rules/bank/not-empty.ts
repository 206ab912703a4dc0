import type { BankFacts } from '../facts.ts';
import type { Rule } from '../rule.ts';

export const notEmpty: Rule<BankFacts> = {
  name: 'not-empty',
  description: 'A bank has at least one exam, and an exam at least one paper.',
  severity: 'error',
  strict: true,
  example: {
    wrong: 'content/neet/exam.json   (and no paper)',
    right: 'content/neet/2024/2024-05-05-s1/physics.json',
  },
  *check({ exams, papers, strays, unreadable }) {
    // Nobody knows what a folder holds that cannot be listed, or a link; a paper may stand in the wrong place.
    const unknown = [
      ...unreadable,
      ...strays.filter(({ path, kind }) => kind !== 'file' || /\.json$/i.test(path)),
    ];
    if (exams.length === 0 && papers.length === 0 && unknown.length === 0) {
      yield {
        path: '',
        pointer: '',
        message:
          'The content folder holds no exam: write <exam>/exam.json and <exam>/<year>/<shift>/<subject>.json.',
      };
    }
    const withPapers = new Set([
      ...papers.map(({ exam }) => exam),
      ...unknown.map(({ path }) => examOf(path)),
    ]);
    for (const { code, path } of exams) {
      if (withPapers.has(code) || withPapers.has('')) continue;
      yield {
        path,
        pointer: '',
        message: `The exam has no papers: write ${code}/<year>/<shift>/<subject>.json.`,
      };
    }
  },
};

/** The folder in which a path begins; '' for the content folder itself. */
function examOf(path: string): string {
  return path.split('/')[0] ?? '';
}
