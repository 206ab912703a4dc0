import type { DiagramFile, UnreadableImage } from '../../content/bank.ts';
import type { CheckedPaper } from '../checked.ts';
import type { RelatedPlace, Rule } from '../rule.ts';

export const diagramImage: Rule<CheckedPaper> = {
  name: 'diagram-image',
  description:
    'A diagram is a whole image of the kind that its name says: PNG, JPEG, WebP, GIF, AVIF or SVG.',
  severity: 'error',
  strict: true,
  example: {
    wrong: '"file": "neet-2024-05-05-s1-physics-07.png"   (and the file is a JPEG)',
    right: '"file": "neet-2024-05-05-s1-physics-07.jpg"',
  },
  *check({ path, questions, diagrams }) {
    for (const { question, pointer } of questions) {
      if (!question.diagrams) continue;
      for (const [index, { file }] of question.diagrams.entries()) {
        const diagram = diagrams.get(file);
        if (!diagram || !('fault' in diagram.image) || diagram.image.isTooLarge) continue;
        yield {
          path,
          pointer: `${pointer}/diagrams/${index}/file`,
          message: diagram.image.fault,
          related: [placeIn(diagram, diagram.image)],
        };
      }
    }
  },
};

function placeIn({ path }: DiagramFile, { at }: UnreadableImage): RelatedPlace {
  return at === undefined
    ? { path, pointer: '', message: 'This is the file.' }
    : {
        path,
        pointer: '',
        part: { of: 'file', start: at, end: at + 1 },
        message: 'It stops being XML here.',
      };
}
