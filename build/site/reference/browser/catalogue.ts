/** What the form asks the API for, without a key. */
interface Exam {
  readonly years: readonly number[];
}

/** In chronological order. */
export type Shifts = readonly { readonly shift: string; readonly subjects: readonly string[] }[];

interface Year {
  readonly shifts: Shifts;
}

const answers = new Map<string, Promise<unknown>>();

/** The years of an exam; none when the API does not say. */
export async function yearsOf(exam: string): Promise<readonly number[]> {
  return (await read<Exam>(`/${encodeURIComponent(exam)}`))?.years ?? [];
}

/** The shifts of a year, in chronological order; none when the API does not say. */
export async function shiftsOf(exam: string, year: string): Promise<Shifts> {
  return (await read<Year>(`/${encodeURIComponent(exam)}/${encodeURIComponent(year)}`))?.shifts ?? [];
}

function read<Answer>(path: string): Promise<Answer | undefined> {
  const known = answers.get(path) ?? ask(path);
  answers.set(path, known);
  return known as Promise<Answer | undefined>;
}

async function ask(path: string): Promise<unknown> {
  try {
    const response = await fetch(path, { credentials: 'omit' });
    return response.ok ? await response.json() : undefined;
  } catch {
    return undefined;
  }
}
