import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { canonical, checksum } from './checksum.mjs';
import { get, stop } from './get.mjs';

const year = process.argv[2] ?? 'EXAM/YEAR';
const folder = process.argv[3] ?? 'copy';
// The ETag of each paper, and the checksum of the paper that it names.
const tags = JSON.parse((await read('tags.json')) ?? '{}');
let downloaded = 0;

const { shifts } = JSON.parse((await get(`/${year}`)).body);
for (const { shift, subjects, checksum: due } of shifts) {
  const place = `${year}/${shift}`;
  const papers = {};
  for (const subject of subjects)
    papers[subject] = paperOf(await read(`${place}/${subject}.json`));
  if (checksumOf(papers) !== due) {
    for (const subject of subjects)
      papers[subject] = await newest(`${place}/${subject}.json`, papers[subject]);
    if (checksumOf(papers) !== due)
      stop(`${place} is changing just now: run this again later.`);
  }
  for (const { questions } of Object.values(papers))
    for (const { file, checksum: due } of questions.flatMap(({ diagrams }) => diagrams))
      await keepDiagram(`${place}/diagrams/${file}`, due);
}
console.log(`${folder} has all of ${year}. Files downloaded: ${downloaded}.`);

/** The paper that these bytes are, if they are one and match its checksum. */
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

/** The paper as the service has it now: a 304 says that the one here is that. */
async function newest(path, here) {
  const known = here && tags[path]?.checksum === here.metadata.checksum;
  const { status, tag, body } = await get(
    `/${path}`,
    known ? { 'If-None-Match': tags[path].tag } : {},
  );
  if (status === 304) return here;
  const paper = paperOf(body) ?? stop(`${path} came damaged: run this again.`);
  await save(path, body);
  tags[path] = { tag, checksum: paper.metadata.checksum };
  await writeWhole('tags.json', JSON.stringify(tags));
  return paper;
}

async function keepDiagram(path, due) {
  const here = await read(path);
  if (here && checksum(here) === due) return;
  const { body } = await get(`/${path}`);
  if (checksum(body) !== due)
    stop(`${path} came damaged, or is changing just now: run this again.`);
  await save(path, body);
}

async function save(path, body) {
  await writeWhole(path, body);
  downloaded += 1;
}

/** A program that is stopped in the middle leaves no half a file under this name. */
async function writeWhole(path, body) {
  const file = `${folder}/${path}`;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.part`, body);
  await rename(`${file}.part`, file);
}

/** Undefined: there is no such file. */
function read(path) {
  return readFile(`${folder}/${path}`).catch(() => undefined);
}
