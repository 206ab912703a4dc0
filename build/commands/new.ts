import { dirname, join } from 'node:path';
import { type Command, choose, readArguments } from '../command-line/command.ts';
import {
  create,
  fileText,
  forms,
  type NewFile,
  newExam,
  newPaper,
  papersOf,
} from '../new/files.ts';

/** `pastpaper new`: creates valid files of an exam, a year, a shift or a paper. Files that exist stay as they are. */
export const newCommand: Command = async (args, { contentDir }, io) => {
  const { values, positionals } = readArguments(
    args,
    { label: { type: 'string' } },
    '[KIND]',
    '[PLACE]',
    '[NAME]...',
  );
  const [kind, place = '', ...names] = positionals;
  const form = choose(forms, 'kind', kind);
  const files =
    kind === 'exam'
      ? [newExam(place, names, values.label)]
      : papersOf(contentDir, form, place, names).map((paper) => newPaper(paper, new Date()));
  const created: NewFile[] = [];
  for (const file of files) {
    const path = join(contentDir, file.path);
    const isNew = await create(path, fileText(contentDir, file));
    io.stdout.write(isNew ? `Created ${path}\n` : `Unchanged: ${path} exists.\n`);
    if (isNew) created.push(file);
  }
  const [first] = created;
  if (first) io.stdout.write(nextStep(join(contentDir, first.path), first));
  return first ? 0 : 1;
};

function nextStep(file: string, { kind, path }: NewFile): string {
  return kind === 'exam'
    ? `Next: check its label and subjects, then create papers: npx pastpaper new shift ${dirname(path)}/YYYY/YYYY-MM-DD-s1\n`
    : `Next: replace the sample question, then run npx pastpaper validate, and npx pastpaper preview ${file}\n`;
}
