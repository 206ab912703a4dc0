/** The programs of the guides: files in `samples/`, each shown as one file, which runs beside the clients. */
import { readdir, readFile } from 'node:fs/promises';
import type { CompiledExam } from '../../compile/exams.ts';
import { checksumLength } from '../../compile/response.ts';
import { codeBlock, languageTabs, sampleTabs } from '../code.ts';
import type { ExamplePaper } from '../example.ts';
import { type Html, html } from '../html.ts';

/** In the order of their tabs, each with what runs it, and the oldest version of that. */
const languages = [
  { extension: '.mjs', label: 'JavaScript', command: 'node', runtime: 'Node 20' },
  { extension: '.py', label: 'Python', command: 'python3', runtime: 'Python 3.8' },
] as const;

/** Texts by file name. */
type Files = ReadonlyMap<string, string>;

/** Reads the programs, and fills in the example paper. */
export async function readPrograms({
  origin,
  exam,
  year,
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
      .replaceAll("'EXAM'", `'${exam}'`)
      .replaceAll('"EXAM"', `"${exam}"`)
      .replaceAll('[YEAR]', `[${year}]`)
      .replaceAll('SHIFT', shift)
      .replaceAll('SUBJECT', subject)
      .replaceAll('CHECKSUM_LENGTH', String(checksumLength));
    files.set(file, text);
  }
  return files;
}

/** Renders a program in all its languages. @throws Error when there is none */
export function programTabs(name: string, files: Files): Html {
  const panels = languages.flatMap(({ extension, label, command, runtime }) => {
    const file = `${name}${extension}`;
    const text = files.get(file);
    if (text === undefined) return [];
    const run = html`Save it as <code>${file}</code>, and run <code data-command>${command} ${file}</code>`;
    const content = html`${codeBlock(text, label.toLowerCase())}<p class="hint">${run} (${runtime} or later).</p>\n`;
    return [{ label, file, content }];
  });
  if (panels.length === 0) throw new Error(`There is no program ${name}.`);
  return languageTabs(name, panels);
}

/** From a key to 20 questions of a topic, in three lines of each language. @param isFirst whether with curl, too */
export function threeLines(
  exams: readonly CompiledExam[],
  example: ExamplePaper,
  isFirst = false,
): Html {
  const { origin, exam, year, shift, subject } = example;
  const paper = exams
    .find(({ resource }) => resource.exam === exam)
    ?.years.find(({ resource }) => resource.year === year)
    ?.shifts.find((one) => one.shift === shift)
    ?.papers.find((one) => one.subject === subject);
  const topic = paper?.topics[0]?.topic ?? '';
  const curl = {
    label: 'curl',
    source: `curl -H "Authorization: Bearer $API_KEY" \\
  ${origin}${example.path} |
  jq '[.questions[] | select(.topic == ${JSON.stringify(topic)})][:20]'`,
  };
  return sampleTabs('three-lines', [
    ...(isFirst ? [curl] : []),
    {
      label: 'JavaScript',
      source: `import { Bank } from './client.mjs';
const bank = await Bank.open('${origin}', { key: process.env.API_KEY });
console.log(await bank.page(await bank.select({ exam: '${exam}', topic: ${JSON.stringify(topic)}, count: 20 })));`,
    },
    {
      label: 'Python',
      source: `from pastpaper import Bank
bank = Bank.open("${origin}")  # The key is in API_KEY.
print(bank.page(bank.select(exam="${exam}", topic=${JSON.stringify(topic)}, count=20)))`,
    },
  ]);
}
