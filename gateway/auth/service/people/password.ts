/** Characters of a password (NIST SP 800-63B, 5.1.1.2: a length, and no rules on what is in it). */
export const passwordLength = { min: 10, max: 128 } as const;
