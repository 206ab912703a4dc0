import type { Example } from '../example.ts';
import type { Html } from '../html.ts';
import type { SampleRequest } from '../reference/samples/sample.ts';

/** One guide: a page of its own, and a line of the overview. */
export interface Guide {
  /** Its folder in the address. */
  readonly name: string;
  readonly title: string;
  /** What a reader can do after it, in a sentence. */
  readonly line: string;
  /** What it says, in order. */
  sections(bank: GuideBank): readonly GuideSection[];
}

export interface GuideSection {
  readonly id: string;
  readonly title: string;
  readonly content: Html;
}

/** What the guides show of the bank. */
export interface GuideBank {
  readonly example: Example;
  /** The request for the questions of the example. */
  readonly request: SampleRequest;
  /** A program in all its languages, with tabs. @throws when there is none of the name */
  program(name: string): Html;
}

export const guidesFolder = 'docs/guides';
export const guidesAddress = `/${guidesFolder}/`;

/** The address of a guide. */
export function addressOf({ name }: Pick<Guide, 'name'>): string {
  return `${guidesAddress}${name}/`;
}
