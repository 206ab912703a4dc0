import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { zipSync } from 'fflate';
import { makeFolderOf, temporaryFolder } from '../bank-folder.ts';
import { runCommand } from '../command.ts';
import { validateFolder } from '../validate-folder.ts';

export const place = 'school/2026/2026-01-20-s1/science';

/** The path of a file in `files/`. */
export function fixture(name: string): string {
  return fileURLToPath(new URL(`files/${name}`, import.meta.url));
}

/** A bank with the exam `school` and no papers. */
export function schoolBank(topics: readonly string[] | undefined = undefined) {
  const exam = {
    label: 'School',
    subjects: ['science'],
    ...(topics && { topics: { science: topics } }),
  };
  return makeFolderOf({ 'school/exam.json': exam });
}

/** Writes a file into a new folder. @returns its path */
export async function fileOf(name: string, content: string | Uint8Array): Promise<string> {
  const file = join(await temporaryFolder(), name);
  await writeFile(file, content);
  return file;
}

/** A zip archive of texts and bytes. */
export function zipOf(files: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
  const entries = Object.entries(files).map(([path, content]) => [path, Buffer.from(content)]);
  return zipSync(Object.fromEntries(entries));
}

/** Runs `pastpaper import` on a new bank. @returns also the bank, and the problems of the imported paper */
export async function importFile(file: string, bank?: Awaited<ReturnType<typeof schoolBank>>) {
  const { dir } = bank ?? (await schoolBank());
  const outcome = await runCommand(['import', file, '--to', place], { CONTENT_DIR: dir });
  const { report } = await validateFolder(dir, new Date('2100-01-01T00:00:00Z'));
  return {
    ...outcome,
    dir,
    diagnostics: report.diagnostics.map(({ rule, message }) => `${rule}: ${message}`),
  };
}
