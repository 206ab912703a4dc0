/** Rules on diagrams: the files that questions refer to, their images, and their texts. */
import { mostEffort, nearest } from '../command-line/nearest.js';
import bounds from '../content/bounds.json' with { type: 'json' };
import { groupBy } from '../content/groups.ts';
import { type Drawn, diagramsOf, hasDiagrams } from '../content/question.ts';
import svg from '../content/svg.json' with { type: 'json' };
import type { SvgProblemKind } from '../content/svg.ts';
import type { DiagramFile } from '../content/types.ts';
import type { Diagram } from '../content/written.ts';
import type { CheckedPaper, CheckedShift, Finding, Part, Rule } from './rule.ts';

type Owner = Drawn<Diagram> & { readonly id: string };

/** The diagrams that the questions and passages of a paper name, with their files and the pointers to them. */
function* referencesOf({
  questions,
  passages,
  diagrams,
}: Pick<CheckedPaper, 'questions' | 'passages' | 'diagrams'>) {
  for (const { question, pointer } of questions)
    if (hasDiagrams(question)) yield* ownedBy(question, pointer, 'question');
  for (const { passage, pointer } of passages) yield* ownedBy(passage, pointer, 'passage');

  function* ownedBy(owner: Owner, pointer: string, kind: 'question' | 'passage') {
    for (const { file, alt, at } of diagramsOf(owner))
      yield {
        owner,
        kind,
        id: `${pointer}/id`,
        at: `${pointer}${at}`,
        file,
        alt,
        diagram: diagrams.get(file),
      };
  }
}

const diagramExists: Rule<CheckedPaper> = {
  name: 'diagram-exists',
  description: 'Every diagram of a question exists in the folder `diagrams` of its shift.',
  severity: 'error',
  strict: true,
  example: {
    wrong: '"file": "physics-07-cirucit.svg"   (no such file)',
    right: '"file": "physics-07-circuit.svg"',
  },
  *check(paper) {
    const effort = { left: mostEffort };
    for (const { owner, file, at, diagram } of referencesOf(paper)) {
      if (diagram) continue;
      const message = `The file diagrams/${file} does not exist in the folder of the shift.`;
      yield {
        pointer: `${at}/file`,
        message,
        suggestion: meantDiagram(file, owner, paper.diagrams, effort),
      };
    }
  },
};

const diagramName: Rule<CheckedPaper> = {
  name: 'diagram-name',
  description:
    'The name of a diagram contains the id of its question or passage, and differs from others not only in case.',
  severity: 'error',
  example: {
    wrong: '"id": "physics-07" and "file": "circuit.png"',
    right: '"file": "physics-07-circuit.png"',
  },
  *check(paper) {
    let alike: ReadonlyMap<string, readonly string[]> | undefined;
    for (const { owner, kind, id, file, at, diagram } of referencesOf(paper)) {
      alike ??= groupBy(paper.diagrams.keys(), (name) => name.toLowerCase());
      const other = diagram && alike.get(file.toLowerCase())?.find((name) => name !== file);
      if (other !== undefined) {
        const message = `diagrams/${other} has the same name in other case. Not every file system can have both: rename one.`;
        yield { pointer: `${at}/file`, message };
      }
      // The name of a missing file does not matter.
      if (file.includes(owner.id) || !diagram) continue;
      const message = `The name of this diagram does not contain the id of its ${kind}, ${owner.id}.`;
      yield {
        pointer: `${at}/file`,
        message,
        related: [{ pointer: id, message: 'The id is here.' }],
      };
    }
  },
};

const diagramImage: Rule<CheckedPaper> = {
  name: 'diagram-image',
  description:
    'A diagram is a complete PNG, JPEG, WebP, GIF, AVIF or SVG image, with the right file extension.',
  severity: 'error',
  strict: true,
  example: {
    wrong: '"file": "physics-07.png"   (the file is a JPEG)',
    right: '"file": "physics-07.jpg"',
  },
  *check(paper) {
    for (const { at, file, diagram } of referencesOf(paper)) {
      if (!diagram || !('fault' in diagram.image) || diagram.image.isTooLarge) continue;
      const { fault, extension, at: start } = diagram.image;
      const suggestion = extension && file.replace(/\.[^.]*$/, extension);
      const certain = suggestion !== undefined && !paper.diagrams.has(suggestion);
      const part: Part | undefined =
        start === undefined ? undefined : { of: 'file', start, end: start + 1 };
      const place = { path: diagram.path, pointer: '', part };
      const related = [
        { ...place, message: part ? 'The XML error is here.' : 'This is the file.' },
      ];
      yield { pointer: `${at}/file`, message: fault, suggestion, certain, related };
    }
  },
};

const diagramSize: Rule<CheckedPaper> = {
  name: 'diagram-size',
  description: 'A diagram has at most 2 MB and 8192 pixels on each side.',
  severity: 'error',
  strict: true,
  example: { wrong: 'physics-07.png   (a scan of 12 MB)', right: 'physics-07.png   (0.2 MB)' },
  *check(paper) {
    for (const { at, diagram } of referencesOf(paper)) {
      const message = diagram && sizeProblem(diagram);
      if (!message) continue;
      yield {
        pointer: `${at}/file`,
        message,
        related: [{ path: diagram.path, message: 'This is the file.' }],
      };
    }
  },
};

const diagramAlt: Rule<CheckedPaper> = {
  name: 'diagram-alt',
  description: 'A diagram has an alternative text that describes what it shows.',
  severity: 'warning',
  example: {
    wrong: '"alt": "Diagram"',
    right: '"alt": "Two resistors in parallel, of 4 ohm and 6 ohm."',
  },
  *check(paper) {
    for (const { owner, file, alt, at } of referencesOf(paper)) {
      if (alt === undefined) {
        const message =
          'The diagram has no description. Add an "alt" that describes what students need to see.';
        yield { pointer: at, message };
      } else if (!isDescription(alt, file, owner.id)) {
        const message =
          'This does not describe what the diagram shows. Describe what students need to see.';
        yield { pointer: `${at}/alt`, message };
      }
    }
  },
};

/** The file of a question that was probably meant by a misspelt name; undefined when none is similar. */
function meantDiagram(
  file: string,
  { id }: Owner,
  diagrams: ReadonlyMap<string, unknown>,
  effort: { left: number },
) {
  if (effort.left <= 0) return undefined;
  effort.left -= 100 * diagrams.size;
  const own = [...diagrams.keys()].filter((name) => name.includes(id));
  return nearest(file, own, effort);
}

function sizeProblem({ image }: DiagramFile): string | undefined {
  if ('fault' in image) return image.isTooLarge ? image.fault : undefined;
  const { width, height } = image;
  return Math.max(width, height) > bounds.imageSide
    ? `The image is too large: ${width} by ${height} pixels. The limit is ${bounds.imageSide} on each side.`
    : undefined;
}

/** Words that fit every diagram, and the words around them. */
const kinds =
  /^(?:images?|picture|photo|diagram|figures?|fig|graphic|img|screenshot|illustration|drawing)$/;
const around = /^(?:an?|the|of|for|to|in|this|that|alt|text|question|number|no)$/;

/** A text of this length has other words, too. */
const longText = 80;

/** One word and a number, in any language: `चित्र 1`, `Obr. 2`, `图1`. */
const numbered = /^\P{L}*\p{L}[\p{L}\p{M}]*[.:]?\s*[(（#]?\p{N}+[a-z]?[)）.:。]?$/iu;

/** Whether a text says more than that there is a diagram. */
function isDescription(alt: string, file: string, id: string): boolean {
  if (alt.length > longText + file.length) return true;
  const name = file.replace(/\.[^.]*$/, '');
  const withoutNames = [file, name, id].reduce((rest, known) => rest.replaceAll(known, ' '), alt);
  const words = withoutNames.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? [];
  const isKind = words.some((word) => kinds.test(word));
  if (words.length === 0 || numbered.test(withoutNames.trim())) return false;
  return !(isKind && words.every((word) => kinds.test(word) || around.test(word)));
}

export const svgSafety: Rule<CheckedShift> = {
  name: 'svg-safety',
  description:
    'An SVG is a static drawing of allowed elements, without scripts, links and external files.',
  severity: 'error',
  strict: true,
  example: {
    wrong: '<image href="https://example.org/map.png"/>',
    right: '<image href="data:image/png;base64,..."/>',
  },
  *check({ diagrams }) {
    for (const diagram of diagrams) yield* svgFindings(diagram);
  },
};

function* svgFindings({ path, image }: DiagramFile): Generator<Finding> {
  if ('fault' in image) return;
  for (const { kind, what, start, end } of image.problems)
    yield { path, part: { of: 'file', start, end }, message: `${what} ${svgMessage(kind)}` };
}

/** Everything for which an image is not served, whatever the page or response that shows it. */
export function* imageFindings(image: DiagramFile): Generator<Finding> {
  const message = 'fault' in image.image ? image.image.fault : sizeProblem(image);
  if (message) yield { message };
  yield* svgFindings(image);
}

function svgMessage(kind: SvgProblemKind): string {
  const limits = {
    depth: bounds.svgDepth,
    embedded: bounds.imageSide,
    marks: bounds.marks,
    size: bounds.svgElements,
  };
  return svg.problems[kind].replace('{limit}', String(limits[kind as keyof typeof limits]));
}

export const unusedDiagram: Rule<CheckedShift> = {
  name: 'unused-diagram',
  description:
    'Every diagram is used by a question or passage of its shift. Other diagrams are not published.',
  severity: 'warning',
  example: {
    wrong: 'diagrams/physics-07.svg   (no question uses it)',
    right: '"diagrams": [{ "file": "physics-07.svg", ... }]',
  },
  *check({ papers, diagrams, wrongTexts }) {
    if (diagrams.length === 0 || wrongTexts.includes(undefined)) return;
    const wrong = wrongTexts.map((text) => text?.toLowerCase() ?? '');
    const lengthOfWrong = wrong.join('').length;
    const used = new Set<string | undefined>();
    // A diagram whose name a question misspells is used: the rule diagram-exists reports that mistake.
    const byName = new Map(diagrams.map((diagram) => [diagram.file, diagram]));
    // Searching a text takes a fraction of the time of comparing names.
    const effort = { left: 5 * mostEffort };
    for (const paper of papers)
      for (const { file, owner } of referencesOf({ ...paper, diagrams: byName }))
        used.add(byName.has(file) ? file : meantDiagram(file, owner, byName, effort));
    const message =
      'No question of this shift uses this diagram. Add it to a question, or remove the file.';
    for (const { path, file } of diagrams) {
      // Where a paper breaks its schema, its text decides, unless there is too much to search.
      effort.left -= lengthOfWrong;
      const isMentioned =
        lengthOfWrong > 0 &&
        (effort.left <= 0 || wrong.some((text) => text.includes(file.toLowerCase())));
      if (!used.has(file) && !isMentioned) yield { path, message };
    }
  },
};

export const diagramRules: readonly Rule<CheckedPaper>[] = [
  diagramExists,
  diagramName,
  diagramImage,
  diagramSize,
  diagramAlt,
];
