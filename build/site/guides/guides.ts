/** The text of the guides. */
import { checksumLength } from '../../compile/checksum.ts';
import { type Bank, defaultBank } from '../../release/bank.ts';
import { apiErrors } from '../../release/errors.ts';
import { defaultPlan } from '../../release/plans.ts';
import { checksumsPath, publicKeyPath } from '../../release/signature.ts';
import { codeBlock, sample, sampleTabs } from '../code.ts';
import { type ExamplePaper, inventedQuestionFile } from '../example.ts';
import { type Html, html, inline, paragraphs, table } from '../html.ts';
import { keyUrl } from '../layout.ts';
import { headersWith } from '../openapi/components.ts';
import { texts } from '../openapi/description.ts';
import type { Header } from '../openapi/openapi.ts';
import { questionSamples } from '../openapi/samples.ts';
import { errorTable } from '../reference/endpoint.ts';
import { countOf, numberOf } from '../text.ts';

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
  readonly bank: Bank;
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
  text: ({ bank, example }) => {
    const { missingKey, malformedAuthorization, invalidKey, authenticationUnreachable } = apiErrors;
    return html`<h2 id="create">Create a key</h2>
<ol>
<li>${bank.signUp === 'open' ? html`<a href="/dashboard/sign-up/">Sign up</a> or <a href="/dashboard/sign-in/">sign in</a>.` : html`<a href="/dashboard/sign-in/">Sign in</a>. If you have no account, <a href="${keyUrl(bank)}">ask the operator</a>.`}</li>
<li>On the <a href="/dashboard/">dashboard</a>, enter a name that says what will use the key, choose when it expires, and
press <b>Create key</b>.</li>
<li>Copy the key. It is shown only once: the service stores only its hash.</li>
</ol>
<h2 id="store">Store it safely</h2>
<p>Put the key in an environment variable of the program that uses it. The samples read <code>API_KEY</code>:</p>
${table(
  ['Shell', 'Command'],
  [
    ['Linux, macOS', html`<code>export API_KEY=pfx_...</code>`],
    ['PowerShell', html`<code>$env:API_KEY = "pfx_..."</code>`],
  ],
)}<ul>
<li>Do not commit it to a repository. Add <code>.env</code> files to <code>.gitignore</code>.</li>
<li>Do not put it in a web page or an app: everyone who opens it can read the key. Send requests from your own server.</li>
<li>Use one key for each program, so that you can revoke them separately. All keys of an account share its limits.</li>
</ul>
<h2 id="use">Get your first questions</h2>
${sampleTabs('first-questions', questionSamples(example))}<p>The <a href="/docs/reference/#endpoints">reference</a> has more
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
<p>If a key has leaked, revoke it instead. The service then rejects it.</p>
<h2 id="cors">Use it in a browser</h2>
${paragraphs(texts.cors)}`;
  },
};

const limitsAndRetries: Guide = {
  name: 'limits',
  title: 'Limits and retries',
  summary: 'How many requests you can send, what the rate limit headers mean, and a program that respects them.',
  text: ({ program, bank: { plans } }) => {
    const { malformedUrl, missingKey, invalidKey, methodNotAllowed } = apiErrors;
    const { fileNotFound, rateLimitExceeded, internal, authenticationUnreachable } = apiErrors;
    const headers = headersWith(plans[defaultPlan(plans)]);
    return html`<h2 id="plans">Plans</h2>
<ul>
${Object.entries(plans).map(
  ([name, { perSecond, perMonth }]) =>
    html`<li><b>${name}</b>: ${countOf(perSecond, 'request')} per second, ${numberOf(perMonth)} per calendar month</li>\n`,
)}</ul>
<p>The rate limit uses a sliding one-second window. A month starts on the first at 00:00 UTC.</p>
<p>Limits apply per account. Extra keys do not raise them.</p>
<h2 id="headers">Rate limit headers</h2>
${paragraphs(texts.retries)}${table(
  ['Field', 'Example', 'Description'],
  [
    headerRow('RateLimit-Policy', headers.RateLimitPolicy),
    headerRow('RateLimit', headers.RateLimit),
    headerRow('Retry-After', headers.RetryAfter),
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
      html`Wait the number of seconds in <code>Retry-After</code>. If the monthly quota is used up, this can be days: stop
with a message.`,
    ],
    [
      `${statuses(internal, authenticationUnreachable)}, 503 from a proxy, no response`,
      'Retry a few times with exponential backoff and jitter: double the wait each time, and subtract a random part, so that clients do not all retry at once.',
    ],
    [statuses(malformedUrl, missingKey, invalidKey, fileNotFound), 'Do not retry: the response would be the same.'],
  ],
)}<h2 id="download">Download all papers of a year</h2>
<p>This program stays within the limits by reading <code>RateLimit</code>, and retries as described above. It needs no
packages, and reads the key from <code>API_KEY</code>. You can use its function <code>get</code> in your own programs.</p>
${program('download')}<p>It saves the papers in the folder <code>copy</code>. Each run downloads all papers again. To download only
what changed, see <a href="/docs/guides/copy/">Keeping a mirror</a>.</p>
`;
  },
};

function headerRow(field: string, { example, description }: Header) {
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
    ['a question file', html`<code>metadata.checksum</code>`, html`the canonical JSON of its <code>questions</code>`],
    [
      'a shift',
      html`<code>shifts[].checksum</code> of <code>GET /{exam}/{year}</code>`,
      html`the canonical JSON of <code>{"subject": "checksum"}</code> with every question file of the shift`,
    ],
    ['a diagram', html`<code>checksum</code> where a question, option or passage names it`, 'the file itself'],
    [
      'a passage',
      html`<code>passageChecksum</code> of its questions`,
      html`the canonical JSON of the passage in <code>passages</code>`,
    ],
  ],
)}<p>The checksum of a shift is public. It shows without a key whether anything in the shift changed: a text, an answer, or a
diagram, because questions contain the checksums of their diagrams.</p>
<h2 id="canonical">Canonical JSON</h2>
<p>RFC 8785 defines exactly one text for each JSON value. These rules matter here:</p>
<ul>
<li>Names are sorted. They are all ASCII, so every string order gives the same result.</li>
<li>There is no whitespace between tokens.</li>
<li>Only <code>"</code>, <code>\\</code> and control characters are escaped, control characters as <code>\\n</code>, <code>\\t</code> and so on
where such a form exists. All other characters are written in UTF-8: <code>é</code>, not <code>\\u00e9</code>.</li>
<li>Numbers are widths and heights of diagrams, which are integers, and marks, such as <code>-0.25</code>: write them as
you received them.</li>
<li>Absent fields, such as <code>accepted</code>, stay absent. There is no <code>null</code>.</li>
</ul>
<p>For a shift with one invented paper, these ${canonicalShift.length} bytes are hashed:</p>
${codeBlock(canonicalShift, 'json')}<p>Not every JSON encoder writes canonical JSON. Python's <code>json.dumps</code> escapes non-ASCII characters without
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
  text: ({ bank, example, isSigned }) => html`${bank.name === defaultBank.name ? pullCommand(example) : ''}${
    isSigned ? signatures(bank, example) : ''
  }<h2 id="steps">How it works</h2>
<ol>
<li>Get the year. This needs no key and does not count towards your limits.</li>
<li>Compute the <a href="/docs/guides/checksum/">checksum</a> of each shift from your papers. If it matches that of the service,
nothing changed. Most days, this is all.</li>
<li>If it differs, get the papers of the shift. Send the stored <code>ETag</code> of each in <code>If-None-Match</code>. A 304 means that the
paper is unchanged.</li>
<li>Verify the checksum of what you received. Then replace the old file by renaming the new one.</li>
<li>Get the diagrams of the papers whose checksums differ.</li>
</ol>
${paragraphs(texts.caching)}`,
};

/** The command of this software, which a bank with a name of its own does not mention. */
function pullCommand(example: ExamplePaper): Html {
  return html`<h2 id="pull">With the command</h2>
${sample('Shell', `npx pastpaper pull ${example.origin} ${example.yearPath.slice(1)} --out copy`)}<p>The command reads
the key from <code>API_KEY</code>. Without a year, it mirrors all years of the exam. If it is interrupted, run it again: it continues
where it stopped, and exits with 0 only when every checksum matches. It downloads several files at once within your
<a href="/docs/guides/limits/">limits</a>, removes what the service no longer has, and handles a new release during the
download.</p>
<p>Run it as often as you like, for example every night. If nothing changed, it downloads nothing.</p>
`;
}

function signatures(bank: Bank, example: ExamplePaper): Html {
  return html`<h2 id="signatures">Signatures</h2>
<p>A checksum shows that a file is complete, not who made it. The responses of this service are also signed (Ed25519).
<a href="/${checksumsPath}"><code>/${checksumsPath}</code></a> lists the SHA-256 of each response, before content coding. Its last line is
the signature of all lines before it, in base64.</p>
<p>The public key is at <a href="/${publicKeyPath}"><code>/${publicKeyPath}</code></a>. Also get it from the operator in another way, and
compare: someone who can change the responses can also change this key.</p>
${
  bank.name === defaultBank.name
    ? html`<p>With the public key, the command accepts only what is signed with it:</p>
${sample('Shell', `npx pastpaper pull ${example.origin} ${example.yearPath.slice(1)} --out copy --public-key signing-key.pem`)}`
    : ''
}`;
}

const showingTexts: Guide = {
  name: 'text',
  title: 'Showing questions',
  summary: 'What texts contain: a small subset of Markdown, formulas and diagrams, and a program that renders them.',
  text: ({ program }) => html`<h2 id="subset">What a text contains</h2>
<p>The texts of questions and options are Markdown with formulas. They have these elements and no others: the build rejects
headings, quotations, code, links, images from other sites and HTML.</p>
${table(
  ['Element', 'In the text'],
  [
    ['Paragraph', 'A blank line separates paragraphs.'],
    ['Line break', 'Show a line break in the text as a line break.'],
    ['Bold, italic', html`<code>**bold**</code>, <code>*italic*</code>`],
    [
      'List',
      html`Lines with <code>-</code>, <code>*</code> or <code>+</code>, or with numbers: <code>1.</code> or <code>1)</code>. Lists
can be nested.`,
    ],
    [
      'Table',
      html`<code>| a | b |</code>, and below it <code>|---|:-:|</code>, as in GitHub Flavored Markdown. The first row is the
header.`,
    ],
    [
      'Diagram',
      html`<code>![](file)</code>, where <code>file</code> is listed in <code>diagrams</code> of the question`,
    ],
    [
      'Formula',
      html`LaTeX between <code>$</code>, or between <code>$$</code> for a formula on a line of its own: what
<a href="https://katex.org/docs/supported">KaTeX</a> supports, with its extension mhchem (<code>\\ce</code>, <code>\\pu</code>)`,
    ],
    ['Literal character', html`A backslash precedes it: <code>\\*</code>, <code>\\$</code>.`],
  ],
)}<p>Topics, labels and alternative texts are plain text.</p>
<h2 id="steps">Render it</h2>
<p>Use any CommonMark library that has tables, and KaTeX:</p>
<ol>
<li>Replace each formula with a placeholder without punctuation, so that Markdown does not see the <code>_</code>, <code>*</code>
and <code>|</code> in it. A dollar sign after a backslash does not start a formula.</li>
<li>Put a backslash before each <code>_</code> that has none. Underscores are blanks to fill in, and never emphasis.</li>
<li>Render the Markdown, with HTML switched off, so that <code>x&lt;y</code> stays a comparison, and with line breaks kept (the
option <code>breaks</code> of many libraries).</li>
<li>Replace the placeholders with the formulas.</li>
<li>Give each diagram its alternative text and size from <code>diagrams</code>. Below the question, show the
diagrams that do not appear in any text.</li>
</ol>
<h2 id="program">A page of a paper</h2>
<p>This program writes a page with the questions of a downloaded paper. It needs three packages:</p>
${sample('Shell', 'npm install katex micromark micromark-extension-gfm-table')}${program('render')}<p>Give it the file of a
paper as an argument, and save its output in the same folder: <code>node render.mjs physics.json &gt; physics.html</code>.</p>
`,
};

const scoringResponses: Guide = {
  name: 'score',
  title: 'Scoring responses',
  summary: 'How many marks a response gets: negative and partial marks, ranges, and withdrawn questions.',
  text: ({ program }) => html`<h2 id="fields">Fields</h2>
<p>A response has the form of <code>answer</code>: the key of an option (<code>C</code>), keys joined by commas in any order
(<code>A,C</code>), or a decimal number (<code>2.50</code> is <code>2.5</code>). Most of these fields are absent from most
questions:</p>
${table(
  ['Field', 'Meaning'],
  [
    [html`<code>answer</code>`, 'The correct response.'],
    [html`<code>accepted</code>`, html`All correct responses, if there are several. They include <code>answer</code>.`],
    [html`<code>answerRange</code>`, html`Every number from <code>min</code> to <code>max</code> is also correct.`],
    [html`<code>dropped</code>`, 'The exam body withdrew the question: it gives no marks.'],
    [html`<code>marking.correct</code>`, html`The marks for a correct response. Without <code>marking</code>, 1.`],
    [
      html`<code>marking.incorrect</code>`,
      'The marks for a wrong response, with a minus sign. If this field or one of the two below is absent, it is 0.',
    ],
    [html`<code>marking.unanswered</code>`, 'The marks for no response.'],
    [
      html`<code>marking.partial</code>`,
      'For questions with several correct options: the marks for each chosen option, if all chosen options are correct and some correct options are not chosen.',
    ],
  ],
)}<p><code>marking</code> of a question already includes that of the file, so read only the question. Compare numbers as numbers,
and options by <code>key</code>: <code>label</code> is only what the paper printed.</p>
<h2 id="example">An example</h2>
<p>With the answer <code>A,B,D</code> and the marking <code>{"correct":4,"incorrect":-2,"partial":1}</code>:</p>
${table(
  ['Response', 'Marks'],
  [
    [html`<code>D,A,B</code>`, '4'],
    [html`<code>A,D</code>`, '2: two correct options, 1 for each'],
    [html`<code>A,C</code>`, '−2: one option is wrong'],
    ['none', '0'],
  ],
)}<h2 id="program">Score a paper</h2>
<p>This program scores the responses to a downloaded paper. It reads them from <code>responses.json</code>, by question id:
<code>{"...-001": "C", "...-002": "A,C"}</code>. Its function <code>score</code> needs no packages, so you can copy it.</p>
${program('marks')}<p>You can give another paper and another file of responses as arguments. Some exams also limit how many questions of a
<code>section</code> count. The API does not contain these limits.</p>
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
