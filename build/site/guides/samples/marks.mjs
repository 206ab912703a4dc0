import { readFile } from 'node:fs/promises';
import { score } from './score.mjs';

const file = process.argv[2] ?? 'copy/EXAM/YEAR/SHIFT/SUBJECT.json';
const responsesFile = process.argv[3] ?? 'responses.json';
const { questions } = JSON.parse(await readFile(file, 'utf8'));
// By id of question, in the form of `answer`.
const responses = JSON.parse(await readFile(responsesFile, 'utf8'));

let total = 0;
for (const question of questions) {
  const marks = score(question, responses[question.id] ?? '');
  console.log(`${question.number ?? question.id}: ${marks}`);
  total += marks;
}
console.log(`Total: ${total}`);
