/**
 * What content may have at most. Anything beyond is one problem, and no more work is done on it: files come from strangers.
 * `docs/validation.md` lists these bounds for writers.
 */
export const bounds = {
  /** UTF-16 units of a text. A passage has a few thousand; the parser of Markdown takes seconds for more. */
  text: 20_000,
  /** Levels of lists in a text. No text needs more; a page draws each one further to the right. */
  markdownDepth: 12,
  /** Signs in a text that may have a meaning in Markdown. Its parser takes seconds for many. */
  markdownSigns: 2000,
  /** UTF-16 units of a formula. KaTeX may take minutes for a longer one. */
  formula: 10_000,
  /** The same for a formula that defines commands, and how often they are expanded. */
  formulaWithDefinitions: 500,
  expansions: 100,
  /** Ems of a length in a formula. */
  formulaLength: 100,
  /** Options of a question, accepted answers, and diagrams of a question or passage: `maxItems` in the schemas. */
  options: 26,
  accepted: 100,
  diagrams: 50,
  /** Characters of an answer: `maxLength` in the schema. */
  answer: 1000,
  /** Bytes of a subject file, exam file or list of exceptions. A paper of 90 questions has 0.1 MB. */
  jsonBytes: 16 * 1024 * 1024,
  /** Bytes of a diagram. */
  imageBytes: 2 * 1024 * 1024,
  /** Pixels of each side of an image, also of one in an SVG. Browsers limit the size of a canvas. */
  imageSide: 8192,
  /** Elements that an SVG draws, also those that it repeats. Browsers need seconds to draw more. */
  svgElements: 50_000,
  /** Elements around an element of an SVG. */
  svgDepth: 100,
} as const;
