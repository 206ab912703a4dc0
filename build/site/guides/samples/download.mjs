import { Bank } from './client.mjs';

const bank = await Bank.open('BASE_URL'); // The key is in API_KEY.
const copy = await bank.sync('copy', { exam: 'EXAM', years: [YEAR] });
console.log(`Papers: ${copy.papers}, diagrams: ${copy.diagrams}, all verified.`);
