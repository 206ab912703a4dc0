/** Whether two answers differ in nothing but their spelling: `2.50` and `2.5`, `C,A` and `A,C`. */
export function sameAnswer(one: string, other: string): boolean {
  return one === other || normal(one) === normal(other);
}

function normal(answer: string): string {
  if (answer.includes(',')) return [...new Set(answer.split(','))].sort().join(',');
  const number = answer.includes('.') ? answer.replace(/\.?0+$/, '') : answer;
  return number === '-0' ? '0' : number;
}
