import type { CompiledExam } from '../../compile/compile.ts';
import { exampleOf } from '../example.ts';
import { type Html, html } from '../html.ts';
import type { Description } from '../openapi/openapi.ts';

/** What the form says of each path parameter, in the order of the paths. */
const fields = [
  { name: 'exam', label: 'Exam' },
  { name: 'year', label: 'Year' },
  { name: 'shift', label: 'Shift' },
  { name: 'file', label: 'Subject file' },
] as const;

/**
 * The form to send a request with, of the page's script. Its choices are what anyone may know of the bank; the
 * script asks the API itself for years and shifts.
 */
export function tryIt(description: Description, exams: readonly CompiledExam[]): Html {
  const { year, shift, file } = exampleOf(exams);
  const [exam = '', calendarYear = ''] = year.split('/');
  const chosen: Readonly<Record<string, string>> = { exam, year: calendarYear, shift, file };
  return html`<section aria-labelledby="try">
<h2 id="try">Try it</h2>
<noscript><p>To send requests from this page needs JavaScript, which your browser does not run. The samples below do
the same from a terminal.</p></noscript>
<form class="try" id="try-form" hidden>
<div class="field wide-field">
<label for="try-endpoint">Endpoint</label>
<select id="try-endpoint">
${Object.entries(description.paths)
  .filter(([path]) => path !== '/')
  .map(
    ([path, { get }]) =>
      html`<option value="${path}"${get.security.length > 0 ? html` data-closed` : ''}>${get.summary}: ${path}</option>
`,
  )}</select>
</div>
${fields.map(({ name, label }) => choice(name, label, chosen[name] ?? '', name === 'exam' ? examOptions(exams) : []))}<div class="field wide-field" data-field="filename">
<label for="try-filename">File name</label>
<input id="try-filename" list="try-filenames" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="try-filename-hint">
<datalist id="try-filenames"></datalist>
<p class="hint" id="try-filename-hint">As <code>diagrams[].file</code> of a question has it. Send for the questions of the
shift first: the names of their diagrams are offered here.</p>
</div>
<div class="field wide-field" data-field="key">
<label for="try-key">API key</label>
<div class="joined">
<input id="try-key" class="secret" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="try-key-hint">
<button class="button" type="button" id="try-show-key" aria-pressed="false" aria-label="Show the key">Show</button>
</div>
<p class="hint" id="try-key-hint">Kept by this page alone, until you leave it. Each request counts towards your
limits. <a href="/dashboard/">Get a key</a></p>
</div>
<div class="wide-field send">
<button class="button primary" type="submit">Send</button>
<code class="request" id="try-request"></code>
</div>
</form>
<div class="answer" id="try-answer" tabindex="-1" role="group" aria-labelledby="try-status" hidden>
<p class="answer-status" id="try-status" role="status"></p>
<div class="answer-headers"><table id="try-headers">
<caption>Header fields of the answer</caption>
<tbody></tbody>
</table></div>
<div id="try-body"></div>
</div>
</section>
`;
}

/** A list to choose from, whose last choice is to write something else. */
function choice(name: string, label: string, value: string, options: readonly Html[]): Html {
  return html`<div class="field" data-field="${name}">
<label for="try-${name}">${label}</label>
<select id="try-${name}" data-chosen="${value}">
${
  options.length > 0
    ? options
    : html`<option value="${value}">${value}</option>
`
}</select>
<input id="try-${name}-other" aria-label="${label}, as you write it" autocomplete="off" autocapitalize="none" spellcheck="false" hidden>
</div>
`;
}

function examOptions(exams: readonly CompiledExam[]): Html[] {
  return exams.map(
    ({ resource }) => html`<option value="${resource.exam}">${resource.exam}: ${resource.label}</option>
`,
  );
}
