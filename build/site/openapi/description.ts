/** The OpenAPI description of the API, and the texts that it shares with the reference and the guides. */
import packageFile from '../../../package.json' with { type: 'json' };
import type { CompiledExam } from '../../compile/exams.ts';
import { type Bank, isEmail } from '../../release/bank.ts';
import { crossOriginFields } from '../../release/headers.ts';
import { defaultPlan, type Plans } from '../../release/plans.ts';
import { schemas } from '../../release/schemas.ts';
import { examplePaper } from '../example.ts';
import { planLimits } from '../text.ts';
import { headersWith, parametersOf } from './components.ts';
import { pathsOf } from './operations.ts';

/** Texts in Markdown: paragraphs separated by blank lines, code in backticks. */
export const texts = {
  overview:
    'Exam papers by exam, year, shift and subject, over a read-only HTTP API. Metadata is public. Questions and diagrams require an API key.',
  shiftNames:
    'The full name of a shift is its date and number, `<YYYY>-<MM>-<DD>-s<n>`. You can also use a short form: `s1`, `s2` and so on, in chronological order; any prefix of the full name; or, because the path already contains the year, the month and day with or without the number, `<MM>-<DD>` or `<MM>-<DD>-s<n>`. If several shifts match, an exact name takes precedence over an ordinal, and an ordinal over a prefix. If several shifts match a prefix, the first in chronological order is used. The response contains the full name.',
  keys: 'Questions and diagrams require an API key, sent as `Authorization: Bearer <API_KEY>`: exactly this scheme, one space, the key. Create keys on the dashboard. Keys can expire and can be revoked.',
  retries:
    'Every response to a valid key has the header fields `RateLimit-Policy` and `RateLimit`. `RateLimit` shows what is left; `Retry-After` of a 429 says when to retry, in seconds. Retry a 500 or 502 with exponential backoff. To report one to the operator, quote its `X-Request-Id`.',
  caching:
    'Every 200 has an `ETag`. Send it back in `If-None-Match`: if the resource is unchanged, the response is a 304 without a body. On paths that require a key, a 304 counts towards the limits like a 200. Responses are compressed with Brotli or gzip if `Accept-Encoding` allows it.',
  checksums:
    'A checksum is the first 12 hex digits of a SHA-256 hash. For a question file, it is computed over the canonical JSON (RFC 8785) of its `questions`; for a shift, over the canonical JSON of an object that maps each subject to the checksum of its file; for a diagram, over its bytes.',
  cors: `Scripts of any origin can read the public endpoints. Endpoints that require a key are only readable by scripts of origins that the service lists: their preflight requests get a 204, any other \`OPTIONS\` request gets a 405. These scripts can send \`${crossOriginFields.accepted}\` and read \`${crossOriginFields.exposed}\`. Keep keys on a server: a key in a page can be read by every visitor.`,
  errors:
    'The body of every error is `{"error": "..."}`. The only allowed method is GET; any other method gets a 405. Any path other than those documented gets a 400 with the message `Malformed URL`, including `/{exam}/{year}/{shift}` without a file name. One trailing slash and any query string are ignored.',
} as const;

/** The limits of plans, and what counts towards them. */
export function limitsText(plans: Plans): string {
  return `${planLimits(plans)} A second is any one-second window; a month is a calendar month in UTC. Limits apply per account. Extra keys do not raise them. Public endpoints and rejected requests do not count.`;
}

export type Description = ReturnType<typeof describeApi>;

/** Describes the API in OpenAPI 3.1, from the tables that the build and the gateway use, with examples from the bank. */
export function describeApi(bank: Bank, exams: readonly CompiledExam[]) {
  const { name, tagline, contact, terms, publicUrl, plans } = bank;
  const paper = examplePaper(exams, publicUrl);
  return {
    openapi: '3.1.1',
    info: {
      title: name,
      summary: tagline,
      description: [
        texts.overview,
        `## Shift names\n\n${texts.shiftNames}`,
        `## Limits\n\n${limitsText(plans)}\n\n${texts.retries}`,
        `## Caching\n\n${texts.caching}`,
        `## Checksums\n\n${texts.checksums}`,
        `## CORS\n\n${texts.cors}`,
        `## Errors\n\n${texts.errors}`,
      ].join('\n\n'),
      ...(terms !== undefined && { termsOfService: terms }),
      ...(contact !== undefined && { contact: isEmail(contact) ? { email: contact } : { url: contact } }),
      version: packageFile.version,
    },
    servers: [{ url: publicUrl ?? '/', description: 'The service that serves this description.' }],
    tags: [
      { name: 'Public', description: 'Metadata. No API key is required.' },
      {
        name: 'Protected',
        description: 'Questions and diagrams. They require an API key and count towards its limits.',
      },
      { name: 'Service', description: 'The service itself.' },
    ],
    paths: pathsOf(exams, paper),
    components: {
      schemas,
      parameters: parametersOf(exams, paper),
      headers: headersWith(plans[defaultPlan(plans)]),
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: texts.keys } },
    },
  };
}
