import { reservedNames } from '../release/reserved.ts';

/** What is wrong with the code of an exam, which names its folder, as a sentence; undefined when nothing is. */
export function examFault(code: string): string | undefined {
  if (reservedNames.has(code))
    return `"${code}" is a name that the service uses itself. Name the exam's folder otherwise.`;
  if (!/^[a-z][a-z0-9]*$/.test(code))
    return `"${code}" is no exam code: lower-case letters and digits, a letter first, like jeemain.`;
  return undefined;
}
