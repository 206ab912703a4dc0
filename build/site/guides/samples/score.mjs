/** The marks of a response: a key, keys joined by commas, a number, or a text. Empty: none. */
export function score(question, response) {
  const { type, answer, accepted = [answer], dropped } = question;
  const { answerRange, tolerance = '0', marking = { correct: 1 } } = question;
  const { correct, incorrect = 0, unanswered = 0, partial = 0 } = marking;
  if (dropped) return 0;
  const given = (response ?? '').trim();
  if (given === '') return unanswered;
  if (type === 'numerical') {
    const number = /^[+-]?(\d+\.?\d*|\.\d+)$/.test(given) ? Number(given) : NaN;
    // Decimal numbers have no exact difference: 2.6 - 2.5 is more than 0.1.
    const most = Number(tolerance) * (1 + 1e-9);
    if (accepted.some((each) => Math.abs(Number(each) - number) <= most)) return correct;
    const { min = NaN, max = NaN } = answerRange ?? {};
    return number >= Number(min) && number <= Number(max) ? correct : incorrect;
  }
  if (type === 'text') {
    const isSame = accepted.some((each) => comparable(each) === comparable(given));
    return isSame ? correct : incorrect;
  }
  // A type that this program does not know.
  if (type !== 'mcq' && type !== 'msq') return 0;
  const chosen = keysOf(given);
  const right = accepted
    .map(keysOf)
    .filter((keys) => chosen.every((key) => keys.includes(key)));
  if (right.some((keys) => keys.length === chosen.length)) return correct;
  if (type === 'msq' && partial > 0 && right.length > 0) return partial * chosen.length;
  return incorrect;
}

function comparable(text) {
  return text.normalize().toLowerCase().replace(/\s+/g, '');
}

function keysOf(text) {
  return [...new Set(text.split(',').map((key) => key.trim()))];
}
