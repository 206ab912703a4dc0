import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Command, choose, readArguments, UsageError } from '../command-line/command.ts';
import { withSharedPassages } from '../content/question.ts';
import type { SubjectFile } from '../content/written.ts';
import { csvText, unknownToCsv } from '../exchange/csv-text.ts';
import { moodleXml, unknownToMoodle } from '../exchange/moodle.ts';
import { qtiPackage, unknownToQti } from '../exchange/qti.ts';
import { qti12Package, unknownToQti12 } from '../exchange/qti12.ts';
import { exportedQuestions } from '../exchange/render.ts';
import { forms, papersOf } from '../new/files.ts';
import { UserError } from '../release/user-error.ts';
import { validateContent } from '../validate.ts';
import { lossReport } from './import.ts';

const formats = {
  qti: { unknown: unknownToQti, write: qtiPackage },
  qti12: { unknown: unknownToQti12, write: qti12Package },
  moodle: { unknown: unknownToMoodle, write: moodleXml },
  csv: { unknown: unknownToCsv, write: csvText },
};

/** `pastpaper export`: writes a paper for other programs. */
export const exportCommand: Command = async (args, { contentDir, dataDir }, { stdout, stderr }) => {
  const options = { format: { type: 'string' }, out: { type: 'string' } } as const;
  const { values, positionals } = readArguments(args, options, 'EXAM/YEAR/SHIFT/SUBJECT');
  const [place = ''] = positionals;
  const { unknown, write } = choose(formats, 'format', values.format);
  if (/^qti/.test(values.format ?? '') && values.out === undefined && stdout.isTTY)
    throw new UsageError('A package is not text. Name a file for it: --out FILE.');
  papersOf(contentDir, forms.paper, place);
  const path = `${place}.json`;
  const { diagnostics } = await validateContent(
    { contentDir, dataDir, now: new Date() },
    new Set([path]),
  );
  const folder = `${dirname(path)}/`;
  if (diagnostics.some(({ file, severity }) => severity === 'error' && file.startsWith(folder)))
    throw new UserError(`${join(contentDir, path)} has errors. Run npx pastpaper validate.`);
  const read = (file: string): SubjectFile =>
    JSON.parse(readFileSync(join(contentDir, file), 'utf8'));
  const own = read(path);
  const paper = withSharedPassages(own, own.questions, (subject) =>
    read(`${dirname(path)}/${subject}.json`),
  );
  const questions = exportedQuestions(paper, unknown);
  const content = write(questions, (file) =>
    readFileSync(join(contentDir, dirname(path), 'diagrams', file)),
  );
  if (values.out === undefined) stdout.write(content);
  else await writeFile(values.out, content);
  stderr.write(
    lossReport(
      'Not in the file',
      questions.map(({ id, losses }) => [id, [...losses]]),
    ),
  );
  return 0;
};
