import { readFile } from 'node:fs/promises';

/** The marks of a response: a key, keys joined by commas, or a number. Empty: none. */
function score(question, response) {
  const { type, answer, accepted = [answer], dropped } = question;
  const { answerRange, marking = { correct: 1 } } = question;
  const { correct, incorrect = 0, unanswered = 0, partial = 0 } = marking;
  if (dropped) return 0;
  const given = response.trim();
  if (given === '') return unanswered;
  if (type === 'numerical') {
    const number = /^[+-]?(\d+\.?\d*|\.\d+)$/.test(given) ? Number(given) : NaN;
    if (accepted.some((each) => Number(each) === number)) return correct;
    const isInRange =
      answerRange &&
      number >= Number(answerRange.min) &&
      number <= Number(answerRange.max);
    return isInRange ? correct : incorrect;
  }
  const chosen = keysOf(given);
  const right = accepted
    .map(keysOf)
    .filter((keys) => chosen.every((key) => keys.includes(key)));
  if (right.some((keys) => keys.length === chosen.length)) return correct;
  if (type === 'msq' && partial > 0 && right.length > 0) return partial * chosen.length;
  return incorrect;
}

function keysOf(text) {
  return [...new Set(text.split(',').map((key) => key.trim()))];
}

const file = process.argv[2] ?? 'copy/EXAM/YEAR/SHIFT/physics.json';
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
