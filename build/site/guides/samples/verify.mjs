import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { canonical, checksum } from './checksum.mjs';

const service = 'BASE_URL';
const folder = process.argv[2] ?? 'copy/EXAM/YEAR/SHIFT';
const ofPapers = {}; // The checksum of each subject's paper, as computed.
const faults = [];
let year;
let diagrams = 0;

for (const name of (await readdir(folder)).filter((file) => file.endsWith('.json'))) {
  try {
    const paper = JSON.parse(await readFile(`${folder}/${name}`, 'utf8'));
    year = `${paper.exam}/${paper.year}`;
    ofPapers[paper.subject] = checksum(canonical(paper.questions));
    compare(name, ofPapers[paper.subject], paper.metadata.checksum);
    for (const { file, checksum: due } of paper.questions.flatMap(
      (each) => each.diagrams,
    )) {
      if (!existsSync(`${folder}/diagrams/${file}`)) continue;
      compare(file, checksum(await readFile(`${folder}/diagrams/${file}`)), due);
      diagrams += 1;
    }
  } catch (error) {
    faults.push(`${name} is no whole paper: ${error.message}`);
  }
}

// The checksums of shifts are public: they show that the papers are the service's own.
const shift = basename(folder);
const { shifts = [] } = await (await fetch(`${service}/${year}`)).json();
const due = shifts.find((each) => each.shift === shift)?.checksum;
compare(`The shift ${shift}`, checksum(canonical(ofPapers)), due);

for (const fault of faults) console.error(fault);
const papers = Object.keys(ofPapers).length;
if (faults.length > 0) process.exitCode = 1;
else console.log(`${shift} is right. Papers: ${papers}, diagrams: ${diagrams}.`);

function compare(name, found, due) {
  if (found !== due) faults.push(`${name} has the checksum ${found}, not ${due}.`);
}
