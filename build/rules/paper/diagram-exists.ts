import type { CheckedPaper } from '../checked.ts';
import { meantDiagram } from '../meant-diagram.ts';
import type { Rule } from '../rule.ts';

export const diagramExists: Rule<CheckedPaper> = {
  name: 'diagram-exists',
  description: 'Every diagram that a question names is in the folder `diagrams` of its shift.',
  severity: 'error',
  strict: true,
  example: {
    wrong: '"file": "neet-2024-05-05-s1-physics-07-cirucit.svg"   (and no such file)',
    right: '"file": "neet-2024-05-05-s1-physics-07-circuit.svg"',
  },
  *check({ path, questions, diagrams }) {
    for (const { question, pointer } of questions) {
      if (!question.diagrams) continue;
      for (const [index, { file }] of question.diagrams.entries()) {
        if (diagrams.has(file)) continue;
        const meant = meantDiagram(file, question, diagrams.keys());
        yield {
          path,
          pointer: `${pointer}/diagrams/${index}/file`,
          message: `The shift's folder has no diagrams/${file}.`,
          ...(meant !== undefined && { suggestion: meant }),
        };
      }
    }
  },
};
