import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CommandIO } from '../command-line/command.ts';
import { readJsonFile } from '../content/file.ts';
import { lenientPaper } from '../content/question.ts';
import { type Bank, configFile, readBank } from '../release/bank.ts';
import { UserError } from '../release/user-error.ts';

/** A build for production would publish what `pastpaper init` wrote. */
class Unedited extends UserError {
  override readonly exitStatus = 1;
}

/** Reports what `pastpaper init` wrote and nobody has edited. @throws Unedited in production */
export async function reportUnedited(
  contentDir: string,
  io: CommandIO,
  isProduction: boolean,
): Promise<void> {
  const unedited = await findUnedited(readBank(), contentDir);
  if (unedited.length === 0) return;
  if (isProduction) throw new Unedited(`${unedited.join('\n')}\nNothing was published.`);
  io.stderr.write(unedited.map((sentence) => `Note: ${sentence}\n`).join(''));
  io.stderr.write('A build with NODE_ENV=production rejects this.\n');
}

/** The bank of `pastpaper init`. */
const starter = fileURLToPath(new URL('../starter/', import.meta.url));
const starterExam = join(starter, 'content/sample');

/**
 * Finds texts of the configuration, labels of exams and questions that are the same as in the bank of `pastpaper init`.
 * The folder of the exam may have another name.
 *
 * @returns a sentence for each file
 */
export async function findUnedited(bank: Bank, contentDir: string): Promise<string[]> {
  const written = contentOf(join(starter, configFile));
  const texts = (['name', 'tagline'] as const).filter((field) => bank[field] === written?.[field]);
  const kept = texts.map((field) => `the ${field} "${bank[field]}"`).join(' and ');
  const ofConfig =
    kept === '' ? [] : [`${configFile} still has ${kept} that pastpaper init wrote. Edit it.`];
  const files = (await readdir(starterExam, { recursive: true }))
    .filter((path) => path.endsWith('.json'))
    .sort();
  // The build itself reports a folder that cannot be read.
  const exams = await readdir(contentDir).catch(() => []);
  const ofContent = exams.flatMap((exam) =>
    files.flatMap((file) => uneditedFile(join(contentDir, exam), file)),
  );
  return [...ofConfig, ...ofContent];
}

/** @param exam a folder of the content @param file inside it */
function uneditedFile(exam: string, file: string): string[] {
  const [own, written] = [join(exam, file), join(starterExam, file)].map(contentOf);
  const texts = new Set(lenientPaper(written).questions.map(({ question }) => question));
  const questions = lenientPaper(own).questions.filter(({ question }) => texts.has(question));
  const kept = questions.map(({ id }) => `the question "${id}"`);
  const label = own?.['label'];
  if (label !== undefined && label === written?.['label']) kept.push(`the label "${label}"`);
  if (kept.length === 0) return [];
  return [
    `${join(exam, file)} still has ${kept.join(', ')} that pastpaper init wrote. Edit or remove it.`,
  ];
}

/** The value of a JSON file; undefined if there is none that can be read. */
function contentOf(file: string): Readonly<Record<string, unknown>> | undefined {
  const read = readJsonFile(file, file, 'paper');
  return read.state === 'parsed' ? (read.value as Readonly<Record<string, unknown>>) : undefined;
}
