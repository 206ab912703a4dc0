/** The programs of the guides: files in `samples/`, each shown as one file that runs by itself. */
import { readdir, readFile } from 'node:fs/promises';
import { checksumLength } from '../../compile/response.ts';
import { codeBlock } from '../code.ts';
import type { ExamplePaper } from '../example.ts';
import { type Html, html } from '../html.ts';

/** In the order of their tabs, each with what runs it, and the oldest version of that. */
const languages = [
  {
    extension: '.mjs',
    language: 'javascript',
    title: 'JavaScript',
    command: 'node',
    runtime: 'Node 20',
  },
  {
    extension: '.py',
    language: 'python',
    title: 'Python',
    command: 'python3',
    runtime: 'Python 3.9',
  },
  { extension: '.java', language: 'java', title: 'Java', command: 'java', runtime: 'Java 17' },
] as const;

/** Texts by file name. */
type Files = ReadonlyMap<string, string>;

/** Reads the programs, and fills in the example paper. A file that a program imports takes the place of the import. */
export async function readPrograms({
  origin,
  yearPath,
  shift,
  subject,
}: ExamplePaper): Promise<Files> {
  const folder = new URL('samples/', import.meta.url);
  const files = new Map<string, string>();
  for (const file of await readdir(folder)) {
    const text = (await readFile(new URL(file, folder), 'utf8'))
      .trim()
      .replaceAll('BASE_URL', origin)
      .replaceAll('EXAM/YEAR', yearPath.slice(1))
      .replaceAll('SHIFT', shift)
      .replaceAll('SUBJECT', subject)
      .replaceAll('CHECKSUM_LENGTH', String(checksumLength));
    files.set(file, text);
  }
  for (const [file, text] of files) {
    const joined = text.replace(/^import .+ from '\.\/(.+)';$/m, (_, name) =>
      (files.get(name) ?? '').replace(/^export /m, ''),
    );
    files.set(file, joined);
  }
  return files;
}

/** Renders a program in all its languages. The page's script makes tabs of them. @throws Error when there is none */
export function programTabs(name: string, files: Files): Html {
  const panels = languages.flatMap(({ extension, language, title, command, runtime }) => {
    const [file, text = ''] =
      [...files].find(([each]) => each.toLowerCase() === `${name}${extension}`) ?? [];
    if (file === undefined) return [];
    const run = html`Save it as <code>${file}</code>, and run <code data-command>${command} ${file}</code>`;
    return html`<div class="sample" data-file="${file}" data-sample="${language}">
<p class="language">${title}</p>
${codeBlock(text, language)}<p class="run">${run} (${runtime} or later).</p>
</div>
`;
  });
  if (panels.length === 0) throw new Error(`There is no program ${name}.`);
  return html`<div class="samples" data-samples="${name}">
${panels}</div>
`;
}
