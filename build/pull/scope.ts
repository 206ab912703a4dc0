/** What a pull keeps in step: an exam, or one year of it. */
export interface Scope {
  readonly exam: string;
  readonly year: number | undefined;
}

/** @param text `neet` or `neet/2024` @returns undefined when it is neither */
export function parseScope(text: string): Scope | undefined {
  const [, exam, year] = /^([a-z][a-z0-9]*)(?:\/(\d{4}))?$/.exec(text) ?? [];
  return exam === undefined ? undefined : { exam, year: year === undefined ? undefined : Number(year) };
}

/** As it was written. */
export function scopeName({ exam, year }: Scope): string {
  return year === undefined ? exam : `${exam}/${yearName(year)}`;
}

/** Four digits. */
export function yearName(year: number): string {
  return String(year).padStart(4, '0');
}
