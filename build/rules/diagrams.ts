/** Rules on diagrams: the files that questions refer to, their images, and their texts. */
import { maxImageBytes } from '../content/file.ts';
import type { SvgHazard } from '../content/svg.ts';
import type { DiagramFile, DiagramReference, Question } from '../content/types.ts';
import { nearest } from './names.ts';
import { misplacedIds } from './paper.ts';
import type { CheckedPaper, CheckedShift, Rule } from './rule.ts';

/** A diagram of a question. */
interface Reference extends DiagramReference {
  readonly question: Question;
  /** JSON pointer (RFC 6901) to the question, and to the reference. */
  readonly questionPointer: string;
  readonly pointer: string;
}

function referencesOf({ questions }: CheckedPaper): Reference[] {
  const references: Reference[] = [];
  for (const { question, pointer: questionPointer } of questions) {
    for (const [index, { file, alt }] of question.diagrams?.entries() ?? []) {
      const pointer = `${questionPointer}/diagrams/${index}`;
      references.push({ question, questionPointer, pointer, file, alt });
    }
  }
  return references;
}

export const diagramExists: Rule<CheckedPaper> = {
  name: 'diagram-exists',
  description: 'Every diagram that a question names is in the folder `diagrams` of its shift.',
  severity: 'error',
  strict: true,
  example: {
    wrong: '"file": "neet-2024-05-05-s1-physics-07-cirucit.svg"   (and no such file)',
    right: '"file": "neet-2024-05-05-s1-physics-07-circuit.svg"',
  },
  *check(paper) {
    const { path, diagrams } = paper;
    for (const { question, file, pointer } of referencesOf(paper)) {
      if (diagrams.has(file)) continue;
      yield {
        path,
        pointer: `${pointer}/file`,
        message: `The shift's folder has no diagrams/${file}.`,
        suggestion: meantDiagram(file, question, diagrams.keys()),
      };
    }
  },
};

/** The file of a question that was probably meant by a misspelt name; undefined when none is similar. */
function meantDiagram(file: string, { id }: Question, files: Iterable<string>): string | undefined {
  return nearest(
    file,
    [...files].filter((name) => name.includes(id)),
  );
}

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
    const { path, diagrams } = paper;
    for (const { question, questionPointer, file, pointer } of referencesOf(paper)) {
      // The name of a missing file does not matter.
      if (file.includes(question.id) || !diagrams.has(file)) continue;
      const misplaced = misplacedIds(paper).find((id) => id.pointer === questionPointer);
      if (misplaced?.right !== undefined && file.includes(misplaced.right)) continue;
      yield {
        path,
        pointer: `${pointer}/file`,
        message: `The name of this diagram does not contain the id of its question, ${question.id}.`,
        related: [{ path, pointer: `${questionPointer}/id`, message: 'The id is here.' }],
      };
    }
  },
};

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
  *check(paper) {
    const { path, diagrams } = paper;
    for (const { file, pointer } of referencesOf(paper)) {
      const diagram = diagrams.get(file);
      if (!diagram || !('fault' in diagram.image) || diagram.image.isTooLarge) continue;
      const { fault, at } = diagram.image;
      const place = { path: diagram.path, pointer: '' };
      yield {
        path,
        pointer: `${pointer}/file`,
        message: fault,
        related: [
          at === undefined
            ? { ...place, message: 'This is the file.' }
            : { ...place, part: { of: 'file', start: at, end: at + 1 }, message: 'The XML is broken here.' },
        ],
      };
    }
  },
};

/** Pixels. Browsers limit the size of a canvas. */
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
  *check(paper) {
    const { path, diagrams } = paper;
    for (const { file, pointer } of referencesOf(paper)) {
      const diagram = diagrams.get(file);
      const message = diagram && sizeProblem(diagram);
      if (!message) continue;
      yield {
        path,
        pointer: `${pointer}/file`,
        message,
        related: [{ path: diagram.path, pointer: '', message: 'This is the file.' }],
      };
    }
  },
};

function sizeProblem({ image }: DiagramFile): string | undefined {
  if ('fault' in image) return image.isTooLarge ? image.fault : undefined;
  const { width, height } = image;
  return width > longestSide || height > longestSide
    ? `The image is too large: ${width} by ${height} pixels. The limit is ${longestSide} on each side.`
    : undefined;
}

export const diagramAlt: Rule<CheckedPaper> = {
  name: 'diagram-alt',
  description: 'The text for those who cannot see a diagram says what it shows, and not only that it is one.',
  severity: 'warning',
  example: {
    wrong: '"alt": "Diagram"',
    right: '"alt": "A 12 V battery feeds two resistors in parallel, of 4 ohm and 6 ohm."',
  },
  *check(paper) {
    for (const { question, file, alt, pointer } of referencesOf(paper)) {
      if (isDescription(alt, file, question.id)) continue;
      yield {
        path: paper.path,
        pointer: `${pointer}/alt`,
        message: 'This does not say what the diagram shows. Describe what one needs to answer the question.',
      };
    }
  },
};

/** Words that fit every diagram, and the words around them. */
const kinds = new Set('image picture photo diagram figure fig graphic img screenshot'.split(' '));
const around = new Set('a an the of for to in this that alt text question number no'.split(' '));

/** A text of this length has other words, too. */
const longText = 80;

/** Whether a text says more than that there is a diagram. */
function isDescription(alt: string, file: string, id: string): boolean {
  if (alt.length > longText + file.length) return true;
  const name = file.replace(/\.[^.]*$/, '');
  const withoutNames = [file, name, id].reduce((rest, known) => rest.replaceAll(known, ' '), alt);
  const words = withoutNames.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? [];
  const isKind = words.some((word) => kinds.has(word));
  return words.length > 0 && !(isKind && words.every((word) => kinds.has(word) || around.has(word)));
}

export const svgSafety: Rule<CheckedShift> = {
  name: 'svg-safety',
  description:
    'An SVG shows itself and does nothing else: no script, no event handlers, no HTML inside, nothing from outside.',
  severity: 'error',
  example: {
    wrong: '<image href="https://example.org/map.png"/>',
    right: '<image href="data:image/png;base64,..."/>',
  },
  *check({ diagrams }) {
    for (const { path, image } of diagrams) {
      if ('fault' in image || !image.hazards) continue;
      for (const { kind, what, start, end } of image.hazards)
        yield { path, pointer: '', part: { of: 'file', start, end }, message: hazardMessages[kind](what) };
    }
  },
};

const hazardMessages: Readonly<Record<SvgHazard['kind'], (what: string) => string>> = {
  script: (what) => `${what} runs a program. Remove it.`,
  handler: (what) => `${what} runs a program when something happens. Remove it.`,
  foreign: (what) => `${what} is not SVG. Remove it.`,
  outside: (what) => `${what} is outside the file. Put its content into the file, or remove it.`,
  entity: (what) => `${what} defines an abbreviation that can hide content. Write its text in full.`,
  stylesheet: (what) => `${what} loads a style from elsewhere. Put it into a <style> of the file.`,
};

export const unusedDiagram: Rule<CheckedShift> = {
  name: 'unused-diagram',
  description: 'Every diagram is named by a question of its shift; one that is not would not be published.',
  severity: 'warning',
  example: {
    wrong: 'diagrams/neet-2024-05-05-s1-physics-07-circuit.svg   (and no question names it)',
    right: '"diagrams": [{ "file": "neet-2024-05-05-s1-physics-07-circuit.svg", "alt": "..." }]',
  },
  *check({ papers, diagrams }) {
    // A paper that does not conform to its schema may refer to any diagram.
    if (diagrams.length === 0 || papers.some(({ content }) => !content)) return;
    const files = new Set(diagrams.map(({ file }) => file));
    const used = new Set(
      papers.flatMap(({ questions }) =>
        questions.flatMap(({ question }) =>
          // The rule on missing files reports a misspelt name.
          (question.diagrams ?? []).map(({ file }) =>
            files.has(file) ? file : meantDiagram(file, question, files),
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
