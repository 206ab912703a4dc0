/** The marks of a response: a key, keys joined by commas, or a number. Empty: none. */
export function score(question, response) {
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
