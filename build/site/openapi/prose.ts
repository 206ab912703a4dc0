import { crossOriginFields } from '../../release/headers.ts';
import { defaultPlans } from '../../release/plans.ts';

/**
 * What description and reference say in whole sentences. A blank line parts paragraphs; backquotes hold what
 * is written as it is.
 */

const { perSecond, perMonth } = defaultPlans.free;

export const overview =
  'Exam papers by exam, year, shift and subject, over a read-only HTTP API. What a paper consists of is public; questions and diagrams need an API key.';

export const shiftNames =
  'The full name is the date and the number of the shift, `<YYYY>-<MM>-<DD>-s<n>`. As short forms serve `s1`, `s2` and so on in chronological order; any beginning of the full name; and, since the year stands in the path already, month and day with or without the number, `<MM>-<DD>` or `<MM>-<DD>-s<n>`. Where several shifts fit, an exact name comes before an ordinal, an ordinal before a beginning, and of several beginnings the first in chronological order is meant. The answer names the full shift.';

export const shiftParameter =
  'The full name of the shift, or a short form of it: its number in the year, month and day, or any beginning of the name. See Naming a shift.';

export const keys =
  'Questions and diagrams need an API key, sent as `Authorization: Bearer <API_KEY>`: exactly that scheme, one space, the key. Keys are made on the dashboard; they can be revoked and can expire.';

export const limits = `On the free plan an account has ${perSecond} requests in any second and ${perMonth.toLocaleString('en-GB')} in a calendar month (UTC), over all its keys. What needs no key counts towards nothing, and neither does a refused request.

Every answer to an accepted key tells in \`RateLimit\` what is left. A 429 tells in \`Retry-After\` after how many seconds to come again: wait as long. When retrying 500 or 502, back off exponentially; to ask the operator about one, quote its \`X-Request-Id\`.`;

export const caching =
  'Every 200 has an `ETag`: sent back in `If-None-Match`, an unchanged answer costs a bare 304. On paths that need a key, a 304 counts towards the limits as a 200 does. Answers come in Brotli or gzip where `Accept-Encoding` lets them.';

export const checksums =
  'A checksum is the first 12 hex digits of a SHA-256. Of a question file: over the canonical JSON (RFC 8785) of its `questions`. Of a shift: over the canonical JSON of an object from each subject to the checksum of its file. Of a diagram: over its bytes.';

export const crossOrigin = `Scripts of any origin may read what needs no key. What needs one, scripts of other origins may read only where the service lists their origin: it answers their browser's preflight with 204, and any other \`OPTIONS\` with 405. They may send \`${crossOriginFields.accepted}\` and read \`${crossOriginFields.exposed}\`. A key belongs on a server: in a page, every visitor can read it.`;

export const errors =
  'The body of every error is `{"error": "..."}`. The one method is GET: any other is answered with 405. A URL that fits none of the paths is answered with 400. One slash at the end is passed over, and so is a query.';
