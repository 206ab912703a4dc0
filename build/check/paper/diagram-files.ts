import type { Finding, Rule } from '../rule.ts';
import type { CheckedPaper } from './checked-paper.ts';

export const diagramFiles: Rule<CheckedPaper> = {
  name: 'diagram-files',
  description:
    "Every diagram that a question names exists, bears the question's id in its name, and is the image that its name says.",
  severity: 'error',
  *check(paper) {
    for (const {
      question: { id, diagrams = [] },
      pointer,
    } of paper.questions) {
      for (const [index, { file }] of diagrams.entries()) {
        const message = fault(file, id, paper);
        const finding: Omit<Finding, 'message'> = {
          path: paper.path,
          pointer: `${pointer}/diagrams/${index}/file`,
        };
        if (message) yield { ...finding, message };
      }
    }
  },
};

function fault(file: string, id: string, { diagrams }: CheckedPaper): string | undefined {
  if (!file.includes(id)) return `The name of the diagram does not contain the question's id, ${id}.`;
  const found = diagrams.get(file);
  if (!found) return `The shift's folder has no diagrams/${file}.`;
  return 'fault' in found.image ? `The file ${file} ${found.image.fault}.` : undefined;
}
