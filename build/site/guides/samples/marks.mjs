import { readFile } from 'node:fs/promises';
import { Bank } from './client.mjs';

const bank = await Bank.open('copy');
const { questions } = await bank.paper('EXAM/YEAR/SHIFT/SUBJECT');
// By id of question, in the form of `answer`.
const responses = JSON.parse(await readFile('responses.json', 'utf8'));
let total = 0;
for (const question of questions) total += bank.score(question, responses[question.id]);
console.log(`Total: ${total}`);
