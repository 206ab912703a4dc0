/** Rules on diagrams: the files that questions refer to, their images, and their texts. */
import { maxImageBytes } from '../content/file.ts';
import { deepestElement, mostElements, type SvgProblemKind } from '../content/svg.ts';
import type { DiagramFile, Question } from '../content/types.ts';
import { nearest } from './names.ts';
import type { CheckedPaper, CheckedShift, Rule } from './rule.ts';

/** The diagrams that the questions of a paper name, with their files and the pointers to them. */
function* referencesOf({ questions, diagrams }: CheckedPaper) {
  for (const { question, pointer } of questions) {
    if (!question.diagrams) continue;
    for (const [index, { file, alt }] of question.diagrams.entries())
      yield {
        question,
        id: `${pointer}/id`,
        at: `${pointer}/diagrams/${index}`,
        file,
        alt,
        diagram: diagrams.get(file),
      };
  }
}

const diagramExists: Rule<CheckedPaper> = {
  name: 'diagram-exists',
  description: 'Every diagram that a question names is in the folder `diagrams` of its shift.',
  severity: 'error',
  strict: true,
  example: {
    wrong: '"file": "physics-07-cirucit.svg"   (no such file)',
    right: '"file": "physics-07-circuit.svg"',
  },
  *check(paper) {
    for (const { question, file, at, diagram } of referencesOf(paper)) {
      if (diagram) continue;
      const message = `The shift's folder has no diagrams/${file}.`;
      yield {
        pointer: `${at}/file`,
        message,
        suggestion: meantDiagram(file, question, paper.diagrams.keys()),
      };
    }
  },
};

/** The file of a question that was probably meant by a misspelt name; undefined when none is similar. */
function meantDiagram(file: string, { id }: Question, files: Iterable<string>): string | undefined {
  const ofQuestion = [...files].filter((name) => name.includes(id));
  return nearest(file, ofQuestion);
}

const diagramName: Rule<CheckedPaper> = {
  name: 'diagram-name',
  description: 'The name of a diagram contains the id of its question.',
  severity: 'error',
  example: {
    wrong: '"id": "physics-07" and "file": "circuit.png"',
    right: '"file": "physics-07-circuit.png"',
  },
  *check(paper) {
    for (const { question, id, file, at, diagram } of referencesOf(paper)) {
      // The name of a missing file does not matter.
      if (file.includes(question.id) || !diagram) continue;
      yield {
        pointer: `${at}/file`,
        message: `The name of this diagram does not contain the id of its question, ${question.id}.`,
        related: [{ pointer: id, message: 'The id is here.' }],
      };
    }
  },
};

const diagramImage: Rule<CheckedPaper> = {
  name: 'diagram-image',
  description: 'A diagram is a complete PNG, JPEG, WebP, GIF, AVIF or SVG image, as its name says.',
  severity: 'error',
  strict: true,
  example: { wrong: '"file": "physics-07.png"   (the file is a JPEG)', right: '"file": "physics-07.jpg"' },
  *check(paper) {
    for (const { at, file, diagram } of referencesOf(paper)) {
      if (!diagram || !('fault' in diagram.image) || diagram.image.isTooLarge) continue;
      const { fault, extension, at: start } = diagram.image;
      const place =
        start === undefined
          ? { message: 'This is the file.' }
          : { message: 'The XML is broken here.', part: { of: 'file', start, end: start + 1 } as const };
      yield {
        pointer: `${at}/file`,
        message: fault,
        ...(extension && renaming(file, extension, paper)),
        related: [{ path: diagram.path, pointer: '', ...place }],
      };
    }
  },
};

/** The name of a diagram with another extension, which is certain where no other diagram has it. */
function renaming(file: string, extension: string, { diagrams }: CheckedPaper) {
  const suggestion = file.replace(/\.[^.]*$/, extension);
  return { suggestion, certain: !diagrams.has(suggestion) };
}

/** Pixels. Browsers limit the size of a canvas. */
const longestSide = 8192;

const diagramSize: Rule<CheckedPaper> = {
  name: 'diagram-size',
  description: `A diagram has at most ${maxImageBytes / 1024 / 1024} MB and ${longestSide} pixels on each side.`,
  severity: 'error',
  strict: true,
  example: { wrong: 'physics-07.png   (a scan of 12 MB)', right: 'physics-07.png   (0.2 MB)' },
  *check(paper) {
    for (const { at, diagram } of referencesOf(paper)) {
      const message = diagram && sizeProblem(diagram);
      const related = [{ path: diagram?.path ?? '', pointer: '', message: 'This is the file.' }];
      if (message) yield { pointer: `${at}/file`, message, related };
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

const diagramAlt: Rule<CheckedPaper> = {
  name: 'diagram-alt',
  description: 'The alternative text of a diagram says what it shows, not only that it is a diagram.',
  severity: 'warning',
  example: { wrong: '"alt": "Diagram"', right: '"alt": "Two resistors in parallel, of 4 ohm and 6 ohm."' },
  *check(paper) {
    for (const { question, file, alt, at } of referencesOf(paper)) {
      if (isDescription(alt, file, question.id)) continue;
      const message =
        'This does not say what the diagram shows. Describe what one needs to answer the question.';
      yield { pointer: `${at}/alt`, message };
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

export const diagramRules: readonly Rule<CheckedPaper>[] = [
  diagramExists,
  diagramName,
  diagramImage,
  diagramSize,
  diagramAlt,
];

export const svgSafety: Rule<CheckedShift> = {
  name: 'svg-safety',
  description: 'An SVG is a still drawing: it runs, loads and links nothing, and consists of known elements.',
  severity: 'error',
  strict: true,
  example: {
    wrong: '<image href="https://example.org/map.png"/>',
    right: '<image href="data:image/png;base64,..."/>',
  },
  *check({ diagrams }) {
    for (const { path, image } of diagrams) {
      if ('fault' in image || !image.problems) continue;
      for (const { kind, what, start, end } of image.problems)
        yield { path, part: { of: 'file', start, end }, message: `${what} ${svgMessages[kind]}` };
    }
  },
};

const svgMessages: Readonly<Record<SvgProblemKind, string>> = {
  address: 'is outside the file. Put its content into the file, or remove it.',
  animation: 'moves the drawing. Export a still image.',
  attribute: 'is not an attribute of a still drawing. Remove it.',
  depth: `is inside more than ${deepestElement} others. Ungroup the drawing.`,
  doctype: 'is not allowed. Delete it, up to its closing >. The drawing stays the same.',
  editor:
    'is data of a drawing program. Export plain SVG: from Inkscape with "Save a Copy" and the type "Plain SVG", from draw.io without "Include a copy of my diagram".',
  element: 'is not an element of a still drawing. Remove it, or export the drawing as PNG.',
  encoding: 'is not the encoding UTF-8. Save the file with the encoding UTF-8.',
  handler: 'runs a program when something happens. Remove it.',
  html: 'is HTML, not SVG. Use SVG text: in draw.io, switch off "Formatted Text" and "Word Wrap" before the export.',
  instruction: 'is an instruction to programs. Delete it, up to its closing >.',
  link: 'is a link. Remove it, but not what is inside it.',
  namespace: 'has no xmlns="http://www.w3.org/2000/svg". Add that to <svg>.',
  program: 'runs a program. Remove it.',
  section: 'is allowed in <style> only. Write the text without it.',
  size: `draws more than ${mostElements} elements, repeated ones included. Simplify the drawing, or export it as PNG.`,
  style: 'is not a style of a still drawing. Remove it.',
  value: 'has a function or a character that is not allowed here. Remove it.',
};

export const unusedDiagram: Rule<CheckedShift> = {
  name: 'unused-diagram',
  description: 'Every diagram is named by a question of its shift. Other diagrams are not published.',
  severity: 'warning',
  example: {
    wrong: 'diagrams/physics-07.svg   (no question names it)',
    right: '"diagrams": [{ "file": "physics-07.svg", ... }]',
  },
  *check({ papers, diagrams, wrongTexts }) {
    if (diagrams.length === 0 || wrongTexts.includes(undefined)) return;
    const wrong = wrongTexts.map((text) => text?.toLowerCase() ?? '');
    const files = new Set(diagrams.map(({ file }) => file));
    const used = new Set<string | undefined>();
    // The rule on missing files reports a misspelt name.
    for (const { question } of papers.flatMap(({ questions }) => questions))
      for (const { file } of question.diagrams ?? [])
        used.add(files.has(file) ? file : meantDiagram(file, question, files));
    // Where a paper breaks its schema, its text decides.
    for (const { path, file } of diagrams)
      if (!used.has(file) && !wrong.some((text) => text.includes(file.toLowerCase())))
        yield { path, message: 'No question of this shift names this diagram.' };
  },
};
