import { maxImageBytes } from '../content/image.ts';
import type { SvgHazard } from '../content/svg.ts';
import type { DiagramFile, Question, UnreadableImage } from '../content/types.ts';
import { nearest } from './names.ts';
import { misplacedIds } from './paper.ts';
import type { CheckedPaper, CheckedShift, RelatedPlace, Rule } from './rule.ts';

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

/**
 * The diagram that a question means by the name of one that is not there; undefined when none of those that
 * belong to the question is like it.
 *
 * @param known the names of those that are there
 */
export function meantDiagram(file: string, { id }: Question, known: Iterable<string>): string | undefined {
  return nearest(
    file,
    [...known].filter((name) => name.includes(id)),
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
        const message = diagram && sizeProblem(diagram);
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

function sizeProblem({ image }: DiagramFile): string | undefined {
  if ('fault' in image) return image.isTooLarge ? image.fault : undefined;
  const { width, height } = image;
  return width > longestSide || height > longestSide
    ? `The image is too large: ${width} by ${height} pixels, where ${longestSide} are the most on a side.`
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
  *check({ path, questions }) {
    for (const { question, pointer } of questions) {
      if (!question.diagrams) continue;
      for (const [index, { file, alt }] of question.diagrams.entries()) {
        if (saysSomething(alt, file, question.id)) continue;
        yield {
          path,
          pointer: `${pointer}/diagrams/${index}/alt`,
          message:
            'This does not say what the diagram shows: describe what one needs to answer the question.',
        };
      }
    }
  },
};

/** What every diagram is, and the words around it. */
const kinds = new Set('image picture photo diagram figure fig graphic img screenshot'.split(' '));
const around = new Set('a an the of for to in this that alt text question number no'.split(' '));

/** So long a text has other words. */
const long = 80;

function saysSomething(alt: string, file: string, id: string): boolean {
  if (alt.length > long + file.length) return true;
  const name = file.replace(/\.[^.]*$/, '');
  const own = [file, name, id].reduce((rest, known) => rest.replaceAll(known, ' '), alt);
  const words = own.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? [];
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
  foreign: (what) => `${what} brings in what is no SVG. Remove it.`,
  outside: (what) => `${what} is outside of the file. Put what it names into the file, or remove it.`,
  entity: (what) => `${what} makes the text mean something else than it says. Write out what it stands for.`,
  stylesheet: (what) => `${what} fetches a style from elsewhere. Put it into a <style> of the file.`,
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
