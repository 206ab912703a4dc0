import type { CheckedPaper } from '../checked.ts';
import type { Rule } from '../rule.ts';
import { misplacedIds } from './misplaced-ids.ts';

export const diagramName: Rule<CheckedPaper> = {
  name: 'diagram-name',
  description: 'The name of a diagram contains the id of the question that it belongs to.',
  severity: 'error',
  example: {
    wrong: '"id": "neet-2024-05-05-s1-physics-07", "diagrams": [{ "file": "circuit.png", ... }]',
    right:
      '"id": "neet-2024-05-05-s1-physics-07", "diagrams": [{ "file": "neet-2024-05-05-s1-physics-07-circuit.png", ... }]',
  },
  *check(paper) {
    const { path, questions, diagrams } = paper;
    for (const { question, index: number, pointer } of questions) {
      if (!question.diagrams) continue;
      for (const [index, { file }] of question.diagrams.entries()) {
        // Of a file that is not there, the name is no matter.
        if (file.includes(question.id) || !diagrams.has(file)) continue;
        const misplaced = misplacedIds(paper).find((id) => id.index === number);
        if (misplaced?.right !== undefined && file.includes(misplaced.right)) continue;
        yield {
          path,
          pointer: `${pointer}/diagrams/${index}/file`,
          message: `The name of this diagram does not contain the id of its question, ${question.id}.`,
          related: [{ path, pointer: `${pointer}/id`, message: 'The id stands here.' }],
        };
      }
    }
  },
};
