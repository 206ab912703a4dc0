import { existsSync, readFileSync } from 'node:fs';
import { defaultPlans, type Plans } from './plans.ts';
import type { Source } from './resources.ts';
import { expectedOrigin, parseOrigin } from './urls.ts';
import { UserError } from './user-error.ts';

/** The file in the working directory that configures a bank. */
export const configFile = 'pastpaper.config.json';

/** The fields that name an SVG or PNG file. Without an icon of its own, a bank has its logo as icon. */
export const imageFields = ['logo', 'favicon'] as const;

export type ImageField = (typeof imageFields)[number];

/** The configuration of a bank: `content/schema/config.schema.json` describes its fields. */
export interface Bank extends Readonly<Partial<Record<ImageField, string>>> {
  readonly name: string;
  /** What the bank offers, in a sentence. */
  readonly tagline: string;
  /** BCP 47: the language of the papers. */
  readonly lang?: string;
  /** The color of links and buttons, `#rrggbb`, in the light and in the dark theme. */
  readonly accent?: { readonly light: string; readonly dark: string };
  /** An email address or a URL. */
  readonly contact?: string;
  /** URLs. */
  readonly terms?: string;
  readonly privacy?: string;
  /** The origin under which the bank is reached in production. */
  readonly publicUrl?: string;
  readonly plans: Plans;
  /** Whether visitors can sign up themselves. */
  readonly signUp: 'open' | 'closed';
  /** Papers that are public: `EXAM/YEAR/SHIFT/SUBJECT`. */
  readonly samples: readonly string[];
  /** The source of shifts that have none, and whose exam has none. */
  readonly source?: Source;
  /** Where readers report a mistake in a question, with places such as `{id}`. */
  readonly report?: string;
  /** Whether every shift must have a source. */
  readonly requireSource?: boolean;
}

/** A bank without a configuration. */
export const defaultBank: Bank = {
  name: 'Pastpaper',
  tagline: 'Exam papers by exam, year, shift and subject, over a read-only HTTP API.',
  plans: defaultPlans,
  signUp: 'open',
  samples: [],
};

/** Reads the configuration, which `build/config.ts` has validated; without one, the bank has its defaults. */
export function readBank(path: string = configFile): Bank {
  return existsSync(path)
    ? { ...defaultBank, ...JSON.parse(readFileSync(path, 'utf8')) }
    : defaultBank;
}

/**
 * Reads the configuration for the release: PUBLIC_URL overrides `publicUrl`.
 *
 * @throws UserError when PUBLIC_URL is no origin
 */
export function readPublishedBank({ PUBLIC_URL: text }: NodeJS.ProcessEnv): Bank {
  const bank = readBank();
  if (!text) return bank;
  const publicUrl = parseOrigin(text);
  if (publicUrl === undefined)
    throw new UserError(`PUBLIC_URL is "${text}", but must be ${expectedOrigin}.`);
  return { ...bank, publicUrl };
}

/** Whether a contact is an email address. The schema of the configuration allows nothing else but URLs. */
export function isEmail(contact: string): boolean {
  return !contact.includes('/');
}
