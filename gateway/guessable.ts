/** Whether secrets of the operator and passwords of users can be guessed. */

/** Characters of a secret in production. */
const minSecretLength = 32;

/** Bits of `entropyOf` that a secret has, at least. One of 100,000 random ones of 32 hex digits has fewer. */
const minEntropy = 76;

/** The same for a password of a user. Ten random digits have more, and so have three words. */
const minPasswordEntropy = 32;

/** Bits of a word of up to ten letters, which attackers have in lists, and of a single character. */
const wordBits = 12;
const letterBits = 4.7;
const digitBits = 3.3;
const signBits = 5;

/** Words of samples and defaults, so long that hardly any random secret contains one. */
const placeholder =
  /change|replace|placeholder|example|sample|default|secret|password|openssl|random|qwerty|letmein|insert|\byour[-_]/i;

/** Why a secret can be guessed, to follow the setting's name in a sentence; undefined for a random one. */
export function weaknessOf(secret: string): string | undefined {
  if (secret.length < minSecretLength)
    return `has only ${secret.length} characters. Production requires at least ${minSecretLength}`;
  if (placeholder.test(secret)) return 'looks like a placeholder';
  if (isRegular(secret)) return 'repeats itself or is a sequence';
  if (/^(?:(?:[A-Z]?[a-z]+|[A-Z]+)(?:[^A-Za-z0-9]+|$))+$/.test(secret)) return 'consists of words';
  const entropy = Math.round(entropyOf(secret));
  return entropy < minEntropy
    ? `has about ${entropy} bits of entropy. Production requires ${minEntropy}`
    : undefined;
}

/** Common passwords without words: rows of keys, of which parts are common, too. */
const commonPasswords =
  '1q2w3e4r5t6y7u8i9o0p 1qaz2wsx3edc4rfv5tgb6yhn q1w2e3r4t5y6u7i8o9p0 qazwsxedcrfvtgbyhnujm zaq12wsxcde34rfv ' +
  'zaq1xsw2cde3vfr4 qwertyuiopasdfghjklzxcvbnm asdfghjkl;zxcvbnm,./ 3141592653589793 p@ssw0rd1234 p@$$w0rd1234';

/** Whether a password is common, regular, or hardly longer than two words. */
export function isEasyToGuess(password: string): boolean {
  const known = commonPasswords.includes(password.toLowerCase());
  return known || isRegular(password) || entropyOf(password) < minPasswordEntropy;
}

/** Estimates the entropy in bits, for an attacker who tries words, and repetitions of earlier parts. */
function entropyOf(secret: string): number {
  const known = new Set<string>();
  return (secret.match(/[A-Z]?[a-z]+|[A-Z]+|\d+|./gs) ?? []).reduce((sum, part) => {
    const isRepeated = known.has(part.toLowerCase());
    known.add(part.toLowerCase());
    return sum + (isRepeated && !/^[a-z0-9]{1,2}$/i.test(part) ? 1 : bitsOf(part));
  }, 0);
}

function bitsOf(part: string): number {
  if (/^[a-z]/i.test(part)) {
    const isWord = /[aeiouy]/i.test(part) && !/[^aeiouy]{4}/i.test(part);
    return Math.min(
      part.length * letterBits,
      isWord ? wordBits * Math.ceil(part.length / 10) : Number.POSITIVE_INFINITY,
    );
  }
  if (!/^\d/.test(part)) return signBits;
  return (isRegular(part) ? 2 : part.length) * digitBits;
}

/** Whether a text repeats itself or is a sequence. */
function isRegular(text: string): boolean {
  const codes = Array.from(text, (character) => character.charCodeAt(0));
  const steps = codes.slice(1).map((code, index) => code - (codes[index] ?? 0));
  // The characters of abcdef and a1b2c3 do not repeat, but the steps between them do.
  return repeats(codes) || repeats(steps);
}

/** Whether most items equal the one before them at some distance, which is less than the length of a good secret. */
function repeats(items: readonly number[]): boolean {
  const length = Math.min(minSecretLength - 1, items.length / 2);
  return Array.from({ length }, (_, index) => items.slice(index + 1)).some(
    (later) => later.filter((item, index) => item === items[index]).length > later.length / 2,
  );
}
