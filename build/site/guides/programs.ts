/** The programs of the guides: files in `samples/`, each shown as one file that runs by itself. */
import { readdir, readFile } from 'node:fs/promises';
import { checksumLength } from '../../compile/checksum.ts';
import type { ExamplePaper } from '../example.ts';
import { type Html, html } from '../html.ts';
import { sampleOrigin } from '../text.ts';

/** A program in one language. */
interface Program {
  readonly language: string;
  readonly title: string;
  /** What runs it, with the oldest version. */
  readonly runtime: string;
  readonly file: string;
  readonly command: string;
  readonly code: string;
}

/** Programs by name, each in all its languages. */
type Programs = ReadonlyMap<string, readonly Program[]>;

/** The import statements of a language. Every statement is one line. */
interface ImportSyntax {
  /** Parses a line. @returns undefined when it is no import; no names when it imports a whole module */
  parse(line: string): { readonly module: string; readonly names: readonly string[] } | undefined;
  /** Writes an import. @param names sorted */
  write(module: string, names: readonly string[]): string;
  /** Returns the name of the file that a module beside the program would have. */
  fileOf(module: string): string;
  /** What the lines of exported definitions begin with. */
  readonly exportKeyword: string;
  /** The blank lines between two files. */
  readonly gap: string;
}

export const moduleSyntax: ImportSyntax = {
  parse(line) {
    const [, names, module] = /^import \{ (.+) \} from '(.+)';$/.exec(line) ?? [];
    return module === undefined || names === undefined ? undefined : { module, names: names.split(', ') };
  },
  write: (module, names) => `import { ${names.join(', ')} } from '${module}';`,
  fileOf: (module) => module.replace(/^\.\//, ''),
  exportKeyword: 'export ',
  gap: '\n\n',
};

export const pythonSyntax: ImportSyntax = {
  parse(line) {
    const [, whole, module, names] = /^(?:import (\S+)|from (\S+) import (.+))$/.exec(line) ?? [];
    if (whole !== undefined) return { module: whole, names: [] };
    return module === undefined || names === undefined ? undefined : { module, names: names.split(', ') };
  },
  write: (module, names) =>
    names.length === 0 ? `import ${module}` : `from ${module} import ${names.join(', ')}`,
  fileOf: (module) => `${module}.py`,
  exportKeyword: '',
  gap: '\n\n\n',
};

/** The languages in the order of their tabs. Java programs share no files. */
const languages = [
  {
    extension: '.mjs',
    language: 'javascript',
    title: 'JavaScript',
    runtime: 'Node 20',
    command: 'node',
    syntax: moduleSyntax,
  },
  {
    extension: '.py',
    language: 'python',
    title: 'Python',
    runtime: 'Python 3.9',
    command: 'python3',
    syntax: pythonSyntax,
  },
  { extension: '.java', language: 'java', title: 'Java', runtime: 'Java 17', command: 'java' },
] as const;

/** Reads the programs, and fills in the example paper. */
export async function readPrograms({ yearPath, shift }: ExamplePaper): Promise<Programs> {
  const folder = new URL('samples/', import.meta.url);
  const files = new Map<string, string>();
  for (const file of (await readdir(folder)).sort())
    files.set(file, await readFile(new URL(file, folder), 'utf8'));
  const programs = new Map<string, Program[]>();
  for (const { extension, command, ...language } of languages) {
    for (const [file, text] of files) {
      if (!file.endsWith(extension)) continue;
      const code = ('syntax' in language ? joinFiles(file, files, language.syntax) : text)
        .replaceAll('BASE_URL', sampleOrigin)
        .replaceAll('EXAM/YEAR', yearPath.slice(1))
        .replaceAll('SHIFT', shift)
        .replaceAll('CHECKSUM_LENGTH', String(checksumLength))
        .trimEnd();
      const name = file.slice(0, -extension.length).toLowerCase();
      const program = { ...language, file, command: `${command} ${file}`, code };
      programs.set(name, [...(programs.get(name) ?? []), program]);
    }
  }
  return programs;
}

/**
 * Joins a program and the files that it imports into one: all other imports first, then each file before those that
 * need it.
 *
 * @param files texts by file name
 * @throws Error when there is no file of this name
 */
export function joinFiles(name: string, files: ReadonlyMap<string, string>, syntax: ImportSyntax): string {
  const imports = new Map<string, readonly string[]>();
  const bodies = new Map<string, string>();

  function add(file: string): void {
    if (bodies.has(file)) return;
    const text = files.get(file);
    if (text === undefined) throw new Error(`There is no sample ${file}.`);
    const lines: string[] = [];
    for (const line of text.split('\n')) {
      const imported = syntax.parse(line);
      if (!imported) {
        lines.push(line.startsWith(syntax.exportKeyword) ? line.slice(syntax.exportKeyword.length) : line);
        continue;
      }
      const { module, names } = imported;
      if (files.has(syntax.fileOf(module))) add(syntax.fileOf(module));
      else imports.set(module, [...new Set([...(imports.get(module) ?? []), ...names])].sort());
    }
    bodies.set(file, lines.join('\n').trim());
  }

  add(name);
  // Imports of whole modules first, then by name of the module.
  const head = [...imports]
    .sort(([a, x], [b, y]) => Math.sign(x.length) - Math.sign(y.length) || (a < b ? -1 : 1))
    .map(([module, names]) => syntax.write(module, names));
  return [head.join('\n'), ...bodies.values()].filter((part) => part !== '').join(syntax.gap);
}

/** Renders a program in all its languages. The page's script makes tabs of them. */
export function programTabs(name: string, programs: Programs): Html {
  const panels = programs.get(name);
  if (!panels) throw new Error(`There is no program ${name}.`);
  return html`<div class="samples" data-samples="${name}">
${panels.map(
  ({ language, title, runtime, file, command, code }) =>
    html`<div class="sample" data-file="${file}" data-sample="${language}">
<p class="language">${title}</p>
<pre class="code" tabindex="0"><code>${code}</code></pre>
<p class="run">Save it as <code>${file}</code>, and run <code data-command>${command}</code> (${runtime} or later).</p>
</div>
`,
)}</div>
`;
}
