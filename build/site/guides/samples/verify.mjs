import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename } from 'node:path';

/** Canonical JSON (RFC 8785): sorted names, no spaces, strings as JSON.stringify writes them. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`;
}

/** The diagrams of the passages, questions and options of a paper. */
function diagramsOf({ passages = [], questions }) {
  return [...passages, ...questions].flatMap(({ diagrams, options = [] }) => [
    ...diagrams,
    ...options.flatMap(({ diagram }) => diagram ?? []),
  ]);
}

/** Computes the checksum of a string or of bytes. */
function checksum(data) {
  return createHash('sha256').update(data).digest('hex').slice(0, CHECKSUM_LENGTH);
}

const service = 'BASE_URL';
const folder = process.argv[2] ?? 'copy/EXAM/YEAR/SHIFT';
const checksums = {}; // The computed checksum of each subject.
const mismatches = [];
let year;
let diagrams = 0;

for (const name of (await readdir(folder)).filter((file) => file.endsWith('.json'))) {
  try {
    const paper = JSON.parse(await readFile(`${folder}/${name}`, 'utf8'));
    year = `${paper.exam}/${paper.year}`;
    const actual = checksum(canonical(paper.questions));
    // A translation is not part of the shift's checksum.
    if (!paper.language) checksums[paper.subject] = actual;
    compare(name, actual, paper.metadata.checksum);
    for (const { file, checksum: expected } of diagramsOf(paper)) {
      if (!existsSync(`${folder}/diagrams/${file}`)) continue;
      compare(file, checksum(await readFile(`${folder}/diagrams/${file}`)), expected);
      diagrams += 1;
    }
  } catch (error) {
    mismatches.push(`${name} is not a complete paper: ${error.message}`);
  }
}

// The checksums of shifts are public: they show that the papers are those of the service.
const shift = basename(folder);
const { shifts = [] } = await (await fetch(`${service}/${year}`)).json();
const expected = shifts.find((each) => each.shift === shift)?.checksum;
compare(`The shift ${shift}`, checksum(canonical(checksums)), expected);

for (const mismatch of mismatches) console.error(mismatch);
const papers = Object.keys(checksums).length;
if (mismatches.length > 0) process.exitCode = 1;
else console.log(`${shift} matches. Papers: ${papers}, diagrams: ${diagrams}.`);

function compare(name, actual, expected) {
  if (actual !== expected)
    mismatches.push(`${name} has the checksum ${actual}, not ${expected}.`);
}
