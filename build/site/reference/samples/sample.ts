/** What a sample asks for. */
export type SampleRequest =
  | { readonly kind: 'redirect'; readonly path: string }
  | { readonly kind: 'exam' | 'year' | 'questions'; readonly path: string }
  /** The first diagram of a question file: its name is not public. */
  | { readonly kind: 'diagram'; readonly questions: string; readonly folder: string };

/** Writes the code that makes a request, in one language; it takes the key from the environment, as `API_KEY`. */
export interface SampleLanguage {
  readonly id: 'curl' | 'javascript' | 'python';
  readonly name: string;
  write(request: SampleRequest): string;
}
