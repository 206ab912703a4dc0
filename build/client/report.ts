/** What an address for reports is filled with. */
export interface ReportedQuestion {
  readonly exam: string;
  readonly year: number;
  readonly shift: string;
  readonly subject: string;
  readonly id: string;
  /** `neet/2024/2024-05-05-s1/physics.json` */
  readonly file: string;
}

/** Fills the places of an address, such as `{id}`: the address where readers report a mistake in a question. */
export function reportAddress(template: string, question: ReportedQuestion): string {
  const values = new Map(Object.entries(question));
  return template.replace(/\{(\w+)\}/g, (whole, name: string) =>
    encodeURIComponent(values.get(name) ?? whole),
  );
}
