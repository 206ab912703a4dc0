/** The text of the guides. */
import { checksumLength } from '../../compile/checksum.ts';
import { apiErrors } from '../../release/errors.ts';
import { defaultPlans } from '../../release/plans.ts';
import { checksumsPath, publicKeyPath } from '../../release/signature.ts';
import { type ExamplePaper, inventedQuestionFile } from '../example.ts';
import { type Html, html, inline, paragraphs, table } from '../html.ts';
import { type HeaderName, headers } from '../openapi/components.ts';
import { texts } from '../openapi/description.ts';
import { errorTable } from '../reference/endpoint.ts';
import { questionSamples, sample, sampleTabs } from '../reference/samples.ts';
import { countOf, sampleOrigin } from '../text.ts';

/** A guide: a page of its own, and an entry of the overview. */
export interface Guide {
  /** The last segment of its address; empty for the overview. */
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  /** Renders its text: headings of level 2, and what is below them. */
  text(context: GuideContext): Html;
}

/** What guides are rendered with. */
export interface GuideContext {
  readonly example: ExamplePaper;
  /** Whether the release is signed. */
  readonly isSigned: boolean;
  /** Renders a program in each of its languages. @throws Error when there is no program of this name */
  program(name: string): Html;
}

export const guidesAddress = '/docs/guides/';

export function addressOf({ name }: Guide): string {
  return name === '' ? guidesAddress : `${guidesAddress}${name}/`;
}

const gettingAKey: Guide = {
  name: 'key',
  title: 'Getting a key',
  summary: 'From signing up to your first questions, and how to rotate a key without downtime.',
  text: ({ example }) => {
    const { missingKey, malformedAuthorization, invalidKey, authenticationUnreachable } = apiErrors;
    return html`<h2 id="create">Create a key</h2>
<ol>
<li><a href="/dashboard/sign-up/">Sign up</a> or <a href="/dashboard/sign-in/">sign in</a>.</li>
<li>On the <a href="/dashboard/">dashboard</a>, enter a name that says what will use the key, choose when it expires, and
press <b>Create key</b>.</li>
<li>Copy the key. It is shown only once: the service stores only its hash.</li>
</ol>
<h2 id="store">Store it safely</h2>
<p>Put the key into the environment of the program that uses it. The samples read it from <code>API_KEY</code>:</p>
${table(
  ['Shell', 'Command'],
  [
    ['Linux, macOS', html`<code>export API_KEY=pfx_...</code>`],
    ['PowerShell', html`<code>$env:API_KEY = "pfx_..."</code>`],
  ],
)}<ul>
<li>Do not commit it to a repository. Add <code>.env</code> files to <code>.gitignore</code>.</li>
<li>Do not put it into a web page or an app: everybody who has the page has the key. Send requests from your own server.</li>
<li>Use one key for each program, so that you can revoke them separately. All keys of an account share its limits.</li>
</ul>
<h2 id="use">Get your first questions</h2>
${sampleTabs('first-questions', questionSamples(example.path))}<p>The <a href="/docs/#try">reference</a> has more
requests and a form to send them.</p>
<h2 id="rejected">If a key is rejected</h2>
<p>Do not retry, except after a ${authenticationUnreachable.status}.</p>
${errorTable([missingKey, malformedAuthorization, invalidKey, authenticationUnreachable])}<ul>
<li>${missingKey.status}: check that the variable is set in the shell that runs the program, and that it contains no line break.</li>
<li>${invalidKey.status}: check on the dashboard that the key is active. It lists your keys by their first characters.</li>
</ul>
<h2 id="rotate">Rotate a key without downtime</h2>
<ol>
<li>On the dashboard, press <b>Rotate</b> beside the key, and choose how long to keep the old key working.</li>
<li>Replace the old key wherever you use it.</li>
<li>The dashboard shows when each key was last used. When the old key is no longer used, revoke it or let it expire.</li>
</ol>
<p>If a key was leaked, revoke it instead. It is rejected from then on.</p>
<h2 id="cors">Use it in a browser</h2>
${paragraphs(texts.cors)}<h2 id="operators">If you run the service</h2>
<p>You can also create keys on the command line, beside a running gateway, in the folder of the service:</p>
${sample('shell', 'Shell', 'npm run keys -- create --account first-customer --expires 90d')}<p>This prints the key once,
with its expiry date. <code>npm run keys -- list</code> lists keys, and <code>npm run keys -- revoke ID</code> revokes one.</p>
`;
  },
};

const limitsAndRetries: Guide = {
  name: 'limits',
  title: 'Limits and retries',
  summary:
    'How many requests you can send, what the rate limit headers mean, and a program that respects them.',
  text: ({ program }) => {
    const { malformedUrl, missingKey, invalidKey, methodNotAllowed } = apiErrors;
    const { fileNotFound, rateLimitExceeded, internal, authenticationUnreachable } = apiErrors;
    const { perSecond, perMonth } = defaultPlans.free;
    return html`<h2 id="plan">The free plan</h2>
<ul>
<li>${countOf(perSecond, 'request')} per second. The rate limit uses a sliding one-second window.</li>
<li>${countOf(perMonth, 'request')} per calendar month. The month starts on the first at 00:00 UTC.</li>
</ul>
<p>Limits apply per account. Extra keys do not raise them.</p>
<h2 id="headers">Rate limit headers</h2>
${paragraphs(texts.retries)}${table(
  ['Field', 'Example', 'Description'],
  [
    headerRow('RateLimit-Policy', 'RateLimitPolicy'),
    headerRow('RateLimit', 'RateLimit'),
    headerRow('Retry-After', 'RetryAfter'),
  ],
  'Response headers',
)}<h2 id="counts">What counts</h2>
${table(
  ['Counts as', 'Response'],
  [
    ['one request', `200, 304 and ${fileNotFound.status} on protected endpoints, with a valid key`],
    ['nothing', 'any response of a public endpoint, with or without a key'],
    ['nothing', statuses(malformedUrl, missingKey, invalidKey, methodNotAllowed, authenticationUnreachable)],
    ['nothing', `${rateLimitExceeded.status}: rejected requests use up neither limit`],
  ],
)}<h2 id="retry">When to retry</h2>
${table(
  ['Response', 'What to do'],
  [
    [
      String(rateLimitExceeded.status),
      html`Wait for the seconds in <code>Retry-After</code>. When the monthly quota is used up, this can be days: stop
with a message.`,
    ],
    [
      `${statuses(internal, authenticationUnreachable)}, 503 from a proxy, no response`,
      'Retry a few times with exponential backoff and jitter: double the wait each time, less a random part, so that clients do not all retry at once.',
    ],
    [
      statuses(malformedUrl, missingKey, invalidKey, fileNotFound),
      'Do not retry: the response would be the same.',
    ],
  ],
)}<h2 id="download">Download all papers of a year</h2>
<p>This program stays within the limits by reading <code>RateLimit</code>, and retries as described above. It needs no
packages, and reads the key from <code>API_KEY</code>. You can use its function <code>get</code> in your own programs.</p>
${program('download')}<p>It saves the papers in the folder <code>copy</code>. Each run downloads all papers again. To download only
what changed, see <a href="/docs/guides/copy/">Keeping a mirror</a>.</p>
`;
  },
};

function headerRow(field: string, component: HeaderName) {
  const { example, description } = headers[component];
  return [html`<code>${field}</code>`, html`<code>${example}</code>`, inline(description)];
}

function statuses(...errors: readonly { readonly status: number }[]): string {
  return errors.map(({ status }) => status).join(', ');
}

const verifyingAChecksum: Guide = {
  name: 'checksum',
  title: 'Verifying a checksum',
  summary: 'Recompute every checksum from what you received, in JavaScript, Python or Java.',
  text: ({ program, example }) => {
    const { subject, metadata } = inventedQuestionFile(example);
    const canonicalShift = JSON.stringify({ [subject]: metadata.checksum });
    return html`<h2 id="input">What is hashed</h2>
<p>Each checksum is the first ${checksumLength} hex digits of a SHA-256 hash of these bytes:</p>
${table(
  ['Checksum of', 'Field', 'Hashed bytes'],
  [
    [
      'a question file',
      html`<code>metadata.checksum</code>`,
      html`the canonical JSON of its <code>questions</code>`,
    ],
    [
      'a shift',
      html`<code>shifts[].checksum</code> of <code>GET /{exam}/{year}</code>`,
      html`the canonical JSON of <code>{"subject": "checksum"}</code> with every question file of the shift`,
    ],
    [
      'a diagram',
      html`<code>checksum</code> where a question, option or passage names it`,
      'the file itself',
    ],
    [
      'a passage',
      html`<code>passageChecksum</code> of its questions`,
      html`the canonical JSON of the passage in <code>passages</code>`,
    ],
  ],
)}<p>The checksum of a shift is public. It shows without a key whether anything in the shift changed: a text, an answer, or a
diagram, because questions contain the checksums of their diagrams.</p>
<h2 id="canonical">Canonical JSON</h2>
<p>RFC 8785 defines one text for each JSON value. These of its rules matter here:</p>
<ul>
<li>Names are sorted. They are all ASCII, so every string order gives the same result.</li>
<li>There is no whitespace between tokens.</li>
<li>Only <code>"</code>, <code>\\</code> and control characters are escaped, control characters as <code>\\n</code>, <code>\\t</code> and so on
where such a form exists. All other characters are written in UTF-8: <code>é</code>, not <code>\\u00e9</code>.</li>
<li>Numbers are widths and heights of diagrams, which are integers, and marks, such as <code>-0.25</code>: they are written as
they arrive.</li>
<li>Absent fields, such as <code>accepted</code>, stay absent. There is no <code>null</code>.</li>
</ul>
<p>For a shift with one invented paper, these ${canonicalShift.length} bytes are hashed:</p>
<pre tabindex="0"><code>${canonicalShift}</code></pre>
<p>Not every JSON encoder writes canonical JSON. Python's <code>json.dumps</code> escapes non-ASCII characters without
<code>ensure_ascii=False</code>, PHP's <code>json_encode</code> also escapes <code>/</code>, and Go's <code>encoding/json</code> escapes <code>&lt;</code> and U+2028.</p>
<h2 id="verify">Verify a shift with its papers and diagrams</h2>
<p>This program reads a folder of a <a href="/docs/guides/copy/">mirror</a>, recomputes all checksums, and compares them
with those of the service. It needs no key. To read another folder, give it as an argument.</p>
${program('verify')}<p>The program names each file that does not match, and exits with 1.</p>
`;
  },
};

const keepingAMirror: Guide = {
  name: 'copy',
  title: 'Keeping a mirror',
  summary: 'Download a year once, and then only what changed.',
  text: ({ program, example, isSigned }) => html`<h2 id="ways">Two ways</h2>
<ul>
<li>The service has a command for it. You need a checkout of the service, and Node.</li>
<li>Or use the program <a href="#own">below</a>. It is one file, and mirrors one year.</li>
</ul>
<h2 id="pull">With the command</h2>
${sample('shell', 'Shell', `npm run pull -- ${sampleOrigin} ${example.yearPath.slice(1)} --out copy`)}<p>The command reads
the key from <code>API_KEY</code>. For an exam without a year, it mirrors all years. If it is interrupted, run it again: it continues
where it stopped, and exits with 0 only when every checksum matches. Unlike the program below, it downloads several files at once,
removes what the service no longer has, and handles a new release during the download.</p>
${isSigned ? signatures(example) : ''}<h2 id="steps">How it works</h2>
<ol>
<li>Get the year. This is public and does not count.</li>
<li>Compute the <a href="/docs/guides/checksum/">checksum</a> of each shift from your papers. If it matches that of the service,
nothing changed. Most days, this is all.</li>
<li>If it differs, get the papers of the shift. Send the stored <code>ETag</code> of each in <code>If-None-Match</code>. A 304 means that the
paper is unchanged.</li>
<li>Verify the checksum of what you received. Then replace the old file by renaming the new one.</li>
<li>Get the diagrams of the papers whose checksums differ.</li>
</ol>
${paragraphs(texts.caching)}<h2 id="own">With your own program</h2>
<p>This program mirrors a year in the folder <code>copy</code>, with the same layout as the command, within the
<a href="/docs/guides/limits/">limits</a>. You can give another year and folder as arguments.</p>
${program('copy')}<p>Run it as often as you like, for example every night. If nothing changed, it sends one public request.</p>
`,
};

function signatures(example: ExamplePaper): Html {
  return html`<h2 id="signatures">Signatures</h2>
<p>A checksum shows that a file is complete, not who made it. The responses of this service are also signed (Ed25519). With the
public key, the command accepts only what is signed with it:</p>
${sample('shell', 'Shell', `npm run pull -- ${sampleOrigin} ${example.yearPath.slice(1)} --out copy --public-key signing-key.pem`)}<p>The
key is published at <a href="/${publicKeyPath}"><code>/${publicKeyPath}</code></a>. Get it from the operator in another way too, and compare:
whoever could change the responses could also change the key there. <a href="/${checksumsPath}"><code>/${checksumsPath}</code></a> lists the
SHA-256 of each response, before content coding. Its last line is the signature of all lines before it, in base64.</p>
`;
}

const showingTexts: Guide = {
  name: 'text',
  title: 'Showing questions',
  summary:
    'What texts contain: a small part of Markdown, formulas and diagrams, and a program that renders them.',
  text: ({ program }) => html`<h2 id="subset">What a text contains</h2>
<p>The texts of questions and options are Markdown with formulas. They have these elements and no others: the build rejects
headings, quotations, code, links, images of other sites and HTML.</p>
${table(
  ['Element', 'In the text'],
  [
    ['Paragraph', 'A blank line is between paragraphs.'],
    ['Line break', 'A line break in the text is one for readers.'],
    ['Bold, italic', html`<code>**bold**</code>, <code>*italic*</code>`],
    [
      'List',
      html`Lines with <code>-</code>, <code>*</code> or <code>+</code>, or with numbers: <code>1.</code> or <code>1)</code>. A list
may be in an item of another.`,
    ],
    [
      'Table',
      html`<code>| a | b |</code>, and below it <code>|---|:-:|</code>, as in GitHub Flavored Markdown. The first row is the
header.`,
    ],
    [
      'Diagram',
      html`<code>![](file)</code>, with a <code>file</code> of <code>diagrams</code> of the question`,
    ],
    [
      'Formula',
      html`LaTeX between <code>$</code>, or between <code>$$</code> for a formula on a line of its own: what
<a href="https://katex.org/docs/supported">KaTeX</a> supports, with its extension mhchem (<code>\\ce</code>, <code>\\pu</code>)`,
    ],
    ['Literal character', html`A backslash is before it: <code>\\*</code>, <code>\\$</code>.`],
  ],
)}<p>Topics, labels and alternative texts are plain text.</p>
<h2 id="steps">Render it</h2>
<p>Use any CommonMark library that has tables, and KaTeX:</p>
<ol>
<li>Replace each formula by a placeholder without punctuation. Markdown must not see the <code>_</code>, <code>*</code> and <code>|</code>
in it. A dollar after a backslash begins no formula.</li>
<li>Put a backslash before each <code>_</code> that has none. Underscores are blanks to fill in, and never emphasis.</li>
<li>Render the Markdown, with HTML switched off, so that <code>x&lt;y</code> stays a comparison, and with line breaks kept (the
option <code>breaks</code> of many libraries).</li>
<li>Replace the placeholders by the formulas.</li>
<li>Give each diagram its alternative text and size from <code>diagrams</code>. Show diagrams that are in no text below the
question.</li>
</ol>
<h2 id="program">A page of a paper</h2>
<p>This program writes a page with the questions of a downloaded paper. It needs three packages:</p>
${sample('shell', 'Shell', 'npm install katex micromark micromark-extension-gfm-table')}${program('render')}<p>Give it the file of a
paper as an argument, and save what it prints beside the file: <code>node render.mjs physics.json &gt; physics.html</code>.</p>
`,
};

const scoringResponses: Guide = {
  name: 'score',
  title: 'Scoring responses',
  summary: 'How many marks a response gets: negative and partial marks, ranges, and withdrawn questions.',
  text: ({ program }) => html`<h2 id="fields">What decides</h2>
<p>A response has the form of <code>answer</code>: the key of an option (<code>C</code>), keys joined by commas in any order
(<code>A,C</code>), or a decimal number (<code>2.50</code> is <code>2.5</code>). Most of these fields are absent from most
questions:</p>
${table(
  ['Field', 'Meaning'],
  [
    [html`<code>answer</code>`, 'The right response.'],
    [
      html`<code>accepted</code>`,
      html`All right responses, where there are several. It includes <code>answer</code>.`,
    ],
    [
      html`<code>answerRange</code>`,
      html`Every number from <code>min</code> to <code>max</code> is right, too.`,
    ],
    [html`<code>dropped</code>`, 'The exam body withdrew the question: it gives no marks.'],
    [
      html`<code>marking.correct</code>`,
      html`The marks of a right response. Without <code>marking</code>, they are 1.`,
    ],
    [
      html`<code>marking.incorrect</code>`,
      'The marks of a wrong response, with a minus sign. Absent means 0, as for the two fields below.',
    ],
    [html`<code>marking.unanswered</code>`, 'The marks without a response.'],
    [
      html`<code>marking.partial</code>`,
      'For questions with several right options: the marks of each chosen option, if all of them are right, but not all right ones are chosen.',
    ],
  ],
)}<p><code>marking</code> of a question is what applies to it; you need not read that of the file. Compare numbers as numbers,
and options by <code>key</code>: <code>label</code> is only what the paper printed.</p>
<h2 id="example">An example</h2>
<p>With the answer <code>A,B,D</code> and the marking <code>{"correct":4,"incorrect":-2,"partial":1}</code>:</p>
${table(
  ['Response', 'Marks'],
  [
    [html`<code>D,A,B</code>`, '4'],
    [html`<code>A,D</code>`, '2: two right options, 1 for each'],
    [html`<code>A,C</code>`, '−2: one option is wrong'],
    ['none', '0'],
  ],
)}<h2 id="program">Score a paper</h2>
<p>This program scores the responses to a downloaded paper. They are in <code>responses.json</code>, by the ids of the questions:
<code>{"...-001": "C", "...-002": "A,C"}</code>. Its function <code>score</code> needs no packages, so you can copy it.</p>
${program('marks')}<p>Give another paper and file of responses as arguments. Some exams also limit how many questions of a
<code>section</code> count; that is not part of the data.</p>
`,
};

/** All guides, in reading order. */
export const guides: readonly Guide[] = [
  gettingAKey,
  limitsAndRetries,
  showingTexts,
  scoringResponses,
  verifyingAChecksum,
  keepingAMirror,
];
