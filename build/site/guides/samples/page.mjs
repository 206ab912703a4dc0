import { writeFile } from 'node:fs/promises';
import { Bank } from './client.mjs';
import { render } from './render.mjs';

const bank = await Bank.open('copy');
const questions = await bank.select({ exam: 'EXAM', subject: 'SUBJECT', count: 20 });
let html = '<!doctype html><meta charset="utf-8"><title>Questions</title>';
for (const question of questions) html += render(question, await bank.media(question));
await writeFile('page.html', html);
