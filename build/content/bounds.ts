/**
 * What content may have at most. Anything beyond is one problem, and no more work is done on it: files come from strangers.
 * `docs/validation.md` lists these bounds for writers.
 */
export const bounds = {
  /** UTF-16 units of a text. A passage has a few thousand; the parser of Markdown takes seconds for more. */
  text: 20_000,
  /** Levels of lists in a text. No text needs more; a page draws each one further to the right. */
  markdownDepth: 12,
  /** UTF-16 units of a formula. KaTeX may take minutes for a longer one. */
  formula: 10_000,
  /** The same for a formula that defines commands, and how often they are expanded. */
  formulaWithDefinitions: 500,
  expansions: 100,
  /** Ems of a length in a formula. */
  formulaLength: 100,
} as const;
