import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';

/** A stretch of a text. Lines and columns count from 1; columns in UTF-16 units, the end exclusive. */
export interface Range {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

export interface SyntaxMistake {
  readonly message: string;
  readonly range: Range;
}

export const startOfFile: Range = { line: 1, column: 1, endLine: 1, endColumn: 1 };

const strict = { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false };

/** Every mistake in a text that `JSON.parse` refused. */
export function syntaxMistakes(text: string): SyntaxMistake[] {
  const errors: ParseError[] = [];
  treeOf(text, errors);
  if (errors.length === 0) return [{ message: 'This is not valid JSON.', range: startOfFile }];
  const at = positions(text);
  return errors.map(({ error, offset, length }) => ({
    message: sentences[printParseErrorCode(error)] ?? 'is not valid JSON',
    range: at(offset, offset + length),
  }));
}

/** Finds where in a text the value that a JSON pointer names stands. */
export type Locator = (pointer: string, key?: boolean) => Range;

/**
 * Where in a JSON text values stand. The text is parsed once, when the first one is asked for.
 *
 * @returns a function of a JSON pointer (RFC 6901), which takes the nearest value around it where the
 * pointer names nothing; with `key`, the property's name counts rather than its value
 */
export function locatorOf(text: string): Locator {
  let tree: { readonly root: Node | undefined; readonly at: ReturnType<typeof positions> } | undefined;
  return (pointer, key = false) => {
    tree ??= { root: treeOf(text), at: positions(text) };
    const { root, at } = tree;
    if (!root) return startOfFile;
    const node = nearestNode(root, pointer);
    const name = key && node.parent?.type === 'property' ? node.parent.children?.[0] : undefined;
    const { offset, length } = name ?? node;
    return at(offset, offset + length);
  };
}

function nearestNode(root: Node, pointer: string): Node {
  for (let path = pointerParts(pointer, root); path.length > 0; path = path.slice(0, -1)) {
    const node = findNodeAtLocation(root, path);
    if (node) return node;
  }
  return root;
}

/** The text's tree; none for an empty text, and for one nested deeper than the parser's stack. */
function treeOf(text: string, errors: ParseError[] = []): Node | undefined {
  try {
    return parseTree(text, errors, strict);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function pointerParts(pointer: string, root: Node): (string | number)[] {
  const parts: (string | number)[] = [];
  let node: Node | undefined = root;
  for (const escaped of pointer.split('/').slice(1)) {
    const name = escaped.replaceAll('~1', '/').replaceAll('~0', '~');
    const part: string | number = node?.type === 'array' ? Number(name) : name;
    parts.push(part);
    node = node && findNodeAtLocation(node, [part]);
  }
  return parts;
}

/** Turns offsets of a text into lines and columns. */
function positions(text: string): (start: number, end: number) => Range {
  const lineStarts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lineStarts.push(at + 1);
  const position = (offset: number) => {
    let low = 0;
    let high = lineStarts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((lineStarts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (lineStarts[low] ?? 0) + 1 };
  };
  return (start, end) => {
    const from = position(start);
    const to = position(end);
    return { line: from.line, column: from.column, endLine: to.line, endColumn: to.column };
  };
}

const sentences: Record<string, string> = {
  InvalidSymbol: 'This is no JSON value: text stands in double quotes, the words are true, false and null.',
  InvalidNumberFormat: 'This is no JSON number: write it like 12, -0.5 or 1e3.',
  PropertyNameExpected:
    'A property name in double quotes belongs here; after the last property stands no comma.',
  ValueExpected: 'A value belongs here; after the last item stands no comma.',
  ColonExpected: 'A colon belongs between a property name and its value.',
  CommaExpected: 'A comma belongs between two items.',
  CloseBraceExpected: 'A closing } is missing.',
  CloseBracketExpected: 'A closing ] is missing.',
  EndOfFileExpected: 'The file should end here: something stands after its value.',
  InvalidCommentToken: 'JSON has no comments.',
  UnexpectedEndOfComment: 'JSON has no comments.',
  UnexpectedEndOfString: 'A closing " is missing.',
  UnexpectedEndOfNumber: 'This number ends too early.',
  InvalidUnicode: 'This is no \\u escape: it takes four hex digits.',
  InvalidEscapeCharacter: 'This is no JSON escape: a backslash is written twice (\\\\frac for \\frac).',
  InvalidCharacter: 'A control character stands here: a line break is written \\n, a tab \\t.',
};
