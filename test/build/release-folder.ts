/** Releases, built from banks, and the keys that sign them. */
import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readdir, readFile, readlink, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { build } from '../../build/build.ts';
import { type BuildResult, publish } from '../../build/publish/publish.ts';
import { type Bank, defaultBank } from '../../build/release/config.ts';
import { openDraft } from '../../build/release/draft.ts';
import { readCurrent } from '../../build/release/read.ts';
import { type StoredResource, yearsOf } from '../../build/release/root.ts';
import { readSigner, type Signer } from '../../build/release/signature.ts';
import {
  type Files,
  paperOf,
  paperPath,
  sampleQuestions,
  shiftPath,
  temporaryFolder,
  testNow,
} from './bank-folder.ts';
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

/** Builds as `pastpaper dev` does. Tests share a cache of formulas. */
export function buildFolder(
  contentDir: string,
  distDir: string,
  signer?: Signer,
  bank?: Bank,
): Promise<BuildResult> {
  const dataDir = join(tmpdir(), 'pastpaper-tests');
  return build({ ...(bank && { bank }), contentDir, dataDir, now: testNow, signer }, distDir);
}

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

/** The responses of the current release by their paths, plain or in another content coding. */
export async function responsesOf(
  distDir: string,
  coding: 'identity' | 'br' | 'gzip' = 'identity',
) {
  const release = await readCurrent(distDir);
  const responses = new Map<string, Buffer>();
  for (const [path, resource] of await resourcesOf(distDir)) {
    const object = resource[coding];
    if (object) responses.set(path, await readFile(release.pathOf(object)));
  }
  return responses;
}

/** What the current release stores of each response, by its path: public ones first. */
export async function resourcesOf(distDir: string): Promise<Map<string, StoredResource>> {
  const { root, readYear } = await readCurrent(distDir);
  const resources = new Map<string, StoredResource>(Object.entries(root.public));
  for (const { exam, year, index } of yearsOf(root)) {
    const { shifts } = await readYear(index);
    for (const [shift, files] of Object.entries(shifts))
      for (const [file, resource] of Object.entries(files))
        resources.set(`${exam}/${year}/${shift}/${file}`, resource);
  }
  return resources;
}

/** The path of the plain body of a response on disk. */
export async function bodyPath(distDir: string, path: string): Promise<string> {
  const resource = (await resourcesOf(distDir)).get(path);
  assert.ok(resource, path);
  return (await readCurrent(distDir)).pathOf(resource.identity);
}

/** The name of the current release. */
export async function currentOf(dist: string): Promise<string> {
  return basename(await readlink(join(dist, 'current')));
}

/**
 * Publishes these public responses, without a bank and its pages, which are a hundred files.
 *
 * @param texts of the responses, by their paths
 * @returns the id of the release
 */
export async function publishTexts(
  distDir: string,
  texts: Readonly<Record<string, string>>,
  signer?: Signer,
): Promise<string> {
  const draft = await openDraft(distDir);
  const outputs = Object.entries(texts).map(([path, text]) => {
    return {
      path,
      file: path,
      mediaType: 'text/plain; charset=utf-8',
      body: Buffer.from(text),
    };
  });
  const last = await readCurrent(distDir).catch(() => undefined);
  const options = {
    distDir,
    draft,
    last,
    bank: defaultBank,
    now: testNow,
    signer,
  };
  const { release } = await publish(options, { outputs, years: {} });
  await draft.remove();
  return release.root.id;
}

/** The bytes of every file below a folder, by relative path, sorted. */
export async function filesBelow(folder: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
  return new Map(
    await Promise.all(
      paths.map(async (path) => [path, await readFile(join(folder, path))] as const),
    ),
  );
}

/** A new key, in memory and as files. */
export interface SigningKey {
  readonly signer: Signer;
  readonly publicKey: KeyObject;
  readonly privateFile: string;
  readonly publicFile: string;
}

export async function makeSigningKey(): Promise<SigningKey> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const folder = await temporaryFolder();
  const [privateFile, publicFile] = [join(folder, 'private.pem'), join(folder, 'public.pem')];
  await writeFile(privateFile, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  await writeFile(publicFile, publicKey.export({ type: 'spki', format: 'pem' }));
  const signer = readSigner(privateFile);
  assert.ok(signer);
  return { signer, publicKey, privateFile, publicFile };
}
