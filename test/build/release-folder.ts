import assert from 'node:assert/strict';
import { readdir, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bank } from '../../build/release/bank.ts';
import type { Signer } from '../../build/release/signature.ts';
import { type Files, paperOf, paperPath, sampleQuestions, shiftPath } from './bank-folder.ts';
import { buildFolder } from './build-folder.ts';
import { png, svg } from './image-bytes.ts';

const { mcq, msq, numerical } = sampleQuestions;

/** Texts that occur only in questions. */
export const secrets = {
  ids: ['hidden-id-one', 'hidden-id-two', 'hidden-id-three'],
  texts: ['Which whisper is unheard?', 'Murmurs, all of them', 'Count the rustles'],
  options: ['a first secret', 'a second secret', 'a third secret'],
  answers: ['31415926.5', '27182818.2'],
  diagrams: ['sealed-drawing', 'A drawing under seal'],
} as const;

/** Public, because the catalogue counts topics. */
const topic = 'Spoken topic';

const [idOne, idTwo, idThree] = secrets.ids;
const options = secrets.options.map((value, index) => ({ key: 'ABC'.charAt(index), value }));
const long = 'so that it is worth compressing '.repeat(30);

/** Content whose release has every kind of file. */
export const richFiles: Files = {
  [paperPath]: paperOf(
    {
      ...mcq,
      id: idOne,
      question: `${secrets.texts[0]} ${long}`,
      options,
      topic,
      diagrams: [
        { file: `${idOne}-sealed-drawing.svg`, alt: secrets.diagrams[1] },
        { file: `${idOne}-sealed-drawing.png`, alt: secrets.diagrams[1] },
      ],
    },
    { ...msq, id: idTwo, question: secrets.texts[1], options, answer: 'A,C', topic },
  ),
  [`${shiftPath}/diagrams/${idOne}-sealed-drawing.svg`]: Buffer.concat([
    svg(30, 20),
    Buffer.from(`<!--${long}-->`),
  ]),
  [`${shiftPath}/diagrams/${idOne}-sealed-drawing.png`]: png(300, 200),
  [`${shiftPath}/diagrams/unused.png`]: png(2, 2),
  'neet/2023/2023-05-07-s1/chemistry.json': paperOf({
    ...numerical,
    id: idThree,
    question: secrets.texts[2],
    answer: secrets.answers[0],
    accepted: [...secrets.answers],
    topic,
  }),
  'jeemain/exam.json': { label: 'JEE <Main> & "Advanced"', subjects: ['mathematics'] },
  'jeemain/2024/2024-01-27-s2/mathematics.json': paperOf({ ...mcq, id: 'm1' }),
  'jeemain/2024/2024-01-27-s10/mathematics.json': paperOf({ ...mcq, id: 'm2' }),
};

/** Publishes valid content. Returns the folder of the release. */
export async function publishedFolder(
  contentDir: string,
  distDir: string,
  signer?: Signer,
  bank?: Bank,
): Promise<string> {
  const { report, publication } = await buildFolder(contentDir, distDir, signer, bank);
  assert.ok(publication, JSON.stringify(report.diagnostics));
  return realpath(join(distDir, 'current'));
}

/** The bytes of every file below a folder, by relative path, sorted. */
export async function filesBelow(folder: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
  return new Map(
    await Promise.all(paths.map(async (path) => [path, await readFile(join(folder, path))] as const)),
  );
}
