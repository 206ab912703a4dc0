/** How a language says what a file takes from others. */
export interface ImportSyntax {
  /** A line that imports: the module, and the names taken from it, where it takes names. */
  read(line: string): { readonly from: string; readonly names: readonly string[] } | undefined;
  /** The lines that import, in the language's usual order. @param names sorted; none: the module as a whole */
  write(imports: ReadonlyMap<string, readonly string[]>): readonly string[];
  /** The file that a module is, if it is one of those beside. */
  fileOf(from: string): string;
  /** A line as it stands where nothing takes it from elsewhere. */
  own(line: string): string;
  /** Between the parts. */
  readonly gap: string;
}

/**
 * Joins a program and the files beside it that it takes parts from into one file, which runs by itself: what it
 * needs first, each part once, and all imports at its head.
 *
 * @param files texts by file name
 * @throws when there is no such file
 */
export function oneFile(name: string, files: ReadonlyMap<string, string>, syntax: ImportSyntax): string {
  const imports = new Map<string, Set<string>>();
  const bodies = new Map<string, string>();

  function add(file: string): void {
    if (bodies.has(file)) return;
    const text = files.get(file);
    if (text === undefined) throw new Error(`There is no sample ${file}.`);
    const kept: string[] = [];
    for (const line of text.split('\n')) {
      const taken = syntax.read(line);
      if (!taken) kept.push(syntax.own(line));
      else if (files.has(syntax.fileOf(taken.from))) add(syntax.fileOf(taken.from));
      else imports.set(taken.from, new Set([...(imports.get(taken.from) ?? []), ...taken.names]));
    }
    bodies.set(file, kept.join('\n').trim());
  }

  add(name);
  const merged = new Map([...imports].map(([from, names]) => [from, [...names].sort()] as const));
  const head = syntax.write(merged).join('\n');
  return [head, ...bodies.values()].filter((part) => part !== '').join(syntax.gap);
}

export const moduleSyntax: ImportSyntax = {
  read(line) {
    const [, names, from] = /^import \{ (.+) \} from '(.+)';$/.exec(line) ?? [];
    return from === undefined || names === undefined ? undefined : { from, names: names.split(', ') };
  },
  write: (imports) =>
    [...imports]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([from, names]) => `import { ${names.join(', ')} } from '${from}';`),
  fileOf: (from) => `${from.replace(/^\.\/|\.mjs$/g, '')}.mjs`,
  own: (line) => line.replace(/^export /, ''),
  gap: '\n\n',
};

export const pythonSyntax: ImportSyntax = {
  read(line) {
    const [, whole, from, names] = /^(?:import (\S+)|from (\S+) import (.+))$/.exec(line) ?? [];
    if (whole !== undefined) return { from: whole, names: [] };
    return from === undefined || names === undefined ? undefined : { from, names: names.split(', ') };
  },
  write(imports) {
    const lines = [...imports].map(([from, names]) =>
      names.length === 0 ? `import ${from}` : `from ${from} import ${names.join(', ')}`,
    );
    // Those that take a whole module come first.
    const rank = (line: string) => `${line.startsWith('import') ? 0 : 1}${line}`;
    return lines.sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
  },
  fileOf: (from) => `${from}.py`,
  own: (line) => line,
  gap: '\n\n\n',
};
