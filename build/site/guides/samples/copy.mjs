import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { canonical, checksum, diagramsOf } from './checksum.mjs';
import { get, stop } from './get.mjs';

const year = process.argv[2] ?? 'EXAM/YEAR';
const folder = process.argv[3] ?? 'copy';
// The ETag of each paper, and the checksum of the paper with this ETag.
const tags = JSON.parse((await read('tags.json')) ?? '{}');
let downloaded = 0;

const { shifts } = JSON.parse((await get(`/${year}`)).body);
for (const { shift, subjects, checksum: expected, translations = [] } of shifts) {
  const place = `${year}/${shift}`;
  const papers = {};
  for (const subject of subjects)
    papers[subject] = paperOf(await read(`${place}/${subject}.json`));
  if (checksumOf(papers) !== expected) {
    for (const subject of subjects)
      papers[subject] = await update(`${place}/${subject}.json`, papers[subject]);
    if (checksumOf(papers) !== expected)
      stop(`${place} is changing. Run this again later.`);
  }
  for (const { file, checksum: expected } of Object.values(papers).flatMap(diagramsOf))
    await updateDiagram(`${place}/diagrams/${file}`, expected);
  for (const { subject, language, checksum: expected } of translations) {
    const path = `${place}/${subject}.${language}.json`;
    const local = paperOf(await read(path));
    if (local?.metadata.checksum !== expected) await update(path, local);
  }
}
console.log(`${folder} has all of ${year}. Files downloaded: ${downloaded}.`);

/** Parses a paper. Undefined: it is damaged, or does not match its checksum. */
function paperOf(bytes) {
  try {
    const paper = JSON.parse(bytes);
    return checksum(canonical(paper.questions)) === paper.metadata.checksum
      ? paper
      : undefined;
  } catch {
    return undefined;
  }
}

/** The checksum of a shift with these papers. */
function checksumOf(papers) {
  const sums = Object.entries(papers).map(([name, paper]) => [
    name,
    paper?.metadata.checksum ?? null,
  ]);
  return checksum(canonical(Object.fromEntries(sums)));
}

/** Gets the current paper. A 304 means that the local one is current. */
async function update(path, local) {
  const isTagged = local && tags[path]?.checksum === local.metadata.checksum;
  const { status, tag, body } = await get(
    `/${path}`,
    isTagged ? { 'If-None-Match': tags[path].tag } : {},
  );
  if (status === 304) return local;
  const paper = paperOf(body) ?? stop(`${path} arrived damaged. Run this again.`);
  await save(path, body);
  tags[path] = { tag, checksum: paper.metadata.checksum };
  await writeAtomically('tags.json', JSON.stringify(tags));
  return paper;
}

async function updateDiagram(path, expected) {
  const local = await read(path);
  if (local && checksum(local) === expected) return;
  const { body } = await get(`/${path}`);
  if (checksum(body) !== expected)
    stop(`${path} arrived damaged, or has just changed. Run this again.`);
  await save(path, body);
}

async function save(path, body) {
  await writeAtomically(path, body);
  downloaded += 1;
}

/** An interrupted program leaves no incomplete file under this name. */
async function writeAtomically(path, body) {
  const file = `${folder}/${path}`;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.part`, body);
  await rename(`${file}.part`, file);
}

/** Reads a file. Undefined: it does not exist. */
function read(path) {
  return readFile(`${folder}/${path}`).catch(() => undefined);
}
