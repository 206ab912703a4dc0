import type { DiagramFile } from '../../content/bank.ts';
import { maxImageBytes } from '../../content/image.ts';
import type { CheckedPaper } from '../checked.ts';
import type { Rule } from '../rule.ts';

/** Pixels. Browsers show no canvas that is much larger. */
const longestSide = 8192;

export const diagramSize: Rule<CheckedPaper> = {
  name: 'diagram-size',
  description: `A diagram has at most ${maxImageBytes / 1024 / 1024} MB, and neither side is longer than ${longestSide} pixels.`,
  severity: 'error',
  strict: true,
  example: {
    wrong: 'diagrams/neet-2024-05-05-s1-physics-07.png   (a scan of 12 MB)',
    right: 'the same, of 0.2 MB',
  },
  *check({ path, questions, diagrams }) {
    for (const { question, pointer } of questions) {
      if (!question.diagrams) continue;
      for (const [index, { file }] of question.diagrams.entries()) {
        const diagram = diagrams.get(file);
        const message = diagram && fault(diagram);
        if (!message) continue;
        yield {
          path,
          pointer: `${pointer}/diagrams/${index}/file`,
          message,
          related: [{ path: diagram.path, pointer: '', message: 'This is the file.' }],
        };
      }
    }
  },
};

function fault({ image }: DiagramFile): string | undefined {
  if ('fault' in image) return image.isTooLarge ? image.fault : undefined;
  const { width, height } = image;
  return width > longestSide || height > longestSide
    ? `The image is too large: ${width} by ${height} pixels, where ${longestSide} are the most on a side.`
    : undefined;
}
