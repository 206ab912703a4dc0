import { Bank } from './client.mjs';

const bank = await Bank.open('copy');
for (const path of await bank.papers('EXAM/YEAR')) {
  await bank.paper(path); // An error says what does not match.
  console.log(`${path} matches.`);
}
