import { type Files, shiftPath } from './bank-folder.ts';
import files from './every-field.json' with { type: 'json' };
import { png, svg } from './image-bytes.ts';

/** The translation of the bank with every field. */
export const hindiPath = `${shiftPath}/physics.hi.json`;

/** A bank that uses every field of the format. */
export const everyFieldFiles: Files = {
  ...files,
  [`${shiftPath}/diagrams/p1-car.svg`]: svg(40, 20),
  [`${shiftPath}/diagrams/q1-a.png`]: png(30, 20),
  [`${shiftPath}/diagrams/q1-b.svg`]: svg(31, 21),
  [`${shiftPath}/diagrams/q1-axes.svg`]: svg(32, 22),
};
