import type { CheckedShift } from '../checked.ts';
import { meantDiagram } from '../meant-diagram.ts';
import type { Rule } from '../rule.ts';

export const unusedDiagram: Rule<CheckedShift> = {
  name: 'unused-diagram',
  description: 'Every diagram is named by a question of its shift; one that is not would not be published.',
  severity: 'warning',
  example: {
    wrong: 'diagrams/neet-2024-05-05-s1-physics-07-circuit.svg   (and no question names it)',
    right: '"diagrams": [{ "file": "neet-2024-05-05-s1-physics-07-circuit.svg", "alt": "..." }]',
  },
  *check({ papers, diagrams }) {
    // A paper that broke its schema may well name it.
    if (diagrams.length === 0 || papers.some(({ content }) => !content)) return;
    const known = new Set(diagrams.map(({ file }) => file));
    const used = new Set(
      papers.flatMap(({ questions }) =>
        questions.flatMap(({ question }) =>
          // A name that is misspelt is told where it stands.
          (question.diagrams ?? []).map(({ file }) =>
            known.has(file) ? file : meantDiagram(file, question, known),
          ),
        ),
      ),
    );
    for (const { path, file } of diagrams) {
      if (!used.has(file))
        yield { path, pointer: '', message: 'No question of this shift names this diagram.' };
    }
  },
};
