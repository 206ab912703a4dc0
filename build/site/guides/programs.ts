/** The programs of the guides: files in `samples/`, each shown as one file that runs by itself. */
import { readdir, readFile } from 'node:fs/promises';
import { checksumLength } from '../../compile/checksum.ts';
import { codeBlock } from '../code.ts';
import type { ExamplePaper } from '../example.ts';
import { type Html, html } from '../html.ts';

/** In the order of their tabs, each with what runs it, and the oldest version of that. */
const languages = [
  { extension: '.mjs', language: 'javascript', title: 'JavaScript', command: 'node', runtime: 'Node 20' },
  { extension: '.py', language: 'python', title: 'Python', command: 'python3', runtime: 'Python 3.9' },
  { extension: '.java', language: 'java', title: 'Java', command: 'java', runtime: 'Java 17' },
] as const;

/** Texts by file name. */
type Files = ReadonlyMap<string, string>;

/** Reads the programs, and fills in the example paper. */
export async function readPrograms({ origin, yearPath, shift }: ExamplePaper): Promise<Files> {
  const folder = new URL('samples/', import.meta.url);
  const files = new Map<string, string>();
  for (const file of await readdir(folder)) {
    const text = (await readFile(new URL(file, folder), 'utf8'))
      .replaceAll('BASE_URL', origin)
      .replaceAll('EXAM/YEAR', yearPath.slice(1))
      .replaceAll('SHIFT', shift)
      .replaceAll('CHECKSUM_LENGTH', String(checksumLength));
    files.set(file, text);
  }
  return files;
}

/** The import statements of JavaScript, Python and Java. Every statement is one line. */
const importStatements = [
  /^(?<before>import \{ )(?<names>.+)(?<after> \} from '(?<module>.+)';)$/,
  /^(?<before>from (?<module>\S+) import )(?<names>.+)$/,
  /^(?<before>import \S+(?: from \S+)?)$/,
];

/**
 * Joins a program and the files that it imports into one: all other imports first, then each file before those that
 * need it.
 *
 * @throws Error when there is no file of this name
 */
export function joinFiles(name: string, files: Files): string {
  /** The imported names by statement, in which an asterisk stands for them. */
  const imports = new Map<string, Set<string>>();
  const bodies = new Map<string, string>();

  function add(file: string): void {
    if (bodies.has(file)) return;
    const text = files.get(file);
    if (text === undefined) throw new Error(`There is no sample ${file}.`);
    const lines = text.split('\n').filter((line) => !addImport(line));
    bodies.set(
      file,
      lines
        .join('\n')
        .replaceAll(/^export /gm, '')
        .trim(),
    );
  }

  /** @returns false when the line is no import */
  function addImport(line: string): boolean {
    const groups = importStatements.map((statement) => statement.exec(line)?.groups).find(Boolean);
    if (!groups) return false;
    const { before, module = '', names, after = '' } = groups;
    const file = [module.replace('./', ''), `${module}.py`].find((each) => files.has(each));
    if (file !== undefined) add(file);
    else if (names === undefined) imports.set(line, new Set());
    else {
      const statement = `${before}*${after}`;
      imports.set(statement, new Set([...(imports.get(statement) ?? []), ...names.split(', ')]));
    }
    return true;
  }

  add(name);
  // Imports of whole modules first, then by name of the module.
  const head = [...imports]
    .sort(([a, x], [b, y]) => Math.sign(x.size) - Math.sign(y.size) || (a < b ? -1 : 1))
    .map(([statement, names]) => statement.replace('*', [...names].sort().join(', ')));
  const gap = name.endsWith('.py') ? '\n\n\n' : '\n\n';
  return [head.join('\n'), ...bodies.values()].filter((part) => part !== '').join(gap);
}

/** Renders a program in all its languages. The page's script makes tabs of them. @throws Error when there is none */
export function programTabs(name: string, files: Files): Html {
  const panels = languages.flatMap(({ extension, language, title, command, runtime }) => {
    const file = [...files.keys()].find((each) => each.toLowerCase() === `${name}${extension}`);
    if (file === undefined) return [];
    return html`<div class="sample" data-file="${file}" data-sample="${language}">
<p class="language">${title}</p>
${codeBlock(joinFiles(file, files), language)}<p class="run">Save it as <code>${file}</code>, and run <code data-command>${command} ${file}</code> (${runtime} or later).</p>
</div>
`;
  });
  if (panels.length === 0) throw new Error(`There is no program ${name}.`);
  return html`<div class="samples" data-samples="${name}">
${panels}</div>
`;
}
