import type { CompiledExam } from '../../compile/exams.ts';
import { examplePaper } from '../example.ts';
import { type Html, html } from '../html.ts';
import type { Description } from '../openapi/description.ts';

/**
 * The form that sends a request, and its response. The page's script shows it, and loads years, shifts and subjects from
 * the API.
 */
export function tryIt({ paths }: Description, exams: readonly CompiledExam[]): Html {
  const { exam, year, shift, subject } = examplePaper(exams);
  const endpoints = Object.entries(paths).filter(([path]) => path !== '/');
  return html`<noscript><p>To send requests from this page, enable JavaScript. The samples below send them from a terminal.</p></noscript>
<form class="card fields" id="try-form" hidden>
<div class="field wide">
<label for="try-endpoint">Endpoint</label>
<select id="try-endpoint">
${endpoints.map(
  ([path, { get }]) =>
    html`<option value="${path}"${get.security.length > 0 ? html` data-protected` : ''}>${get.summary}: ${path}</option>
`,
)}</select>
</div>
${choiceField(
  'exam',
  'Exam',
  exams.map(
    ({ resource }) =>
      html`<option value="${resource.exam}"${resource.exam === exam ? html` selected` : ''}>${resource.exam}: ${resource.label}</option>\n`,
  ),
)}${choiceField('year', 'Year', option(year))}${choiceField('shift', 'Shift', option(shift))}${choiceField(
  'file',
  'Subject file',
  option(`${subject}.json`),
)}<div class="field wide" data-field="filename">
<label for="try-filename">File name</label>
<input id="try-filename" list="try-filenames" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="try-filename-hint">
<datalist id="try-filenames"></datalist>
<p class="hint" id="try-filename-hint">From <code>diagrams[].file</code> of a question. To choose from a list, first send a
request for the questions of the shift.</p>
</div>
<div class="field wide" data-field="key">
<label for="try-key">API key</label>
<div class="joined">
<input id="try-key" class="secret" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="try-key-hint">
<button class="button" type="button" id="try-show-key" aria-pressed="false" aria-label="Show the key">Show</button>
</div>
<p class="hint" id="try-key-hint">The key is not stored. Each request counts towards your limits.
<a href="/dashboard/">Get a key</a></p>
</div>
<div class="wide actions">
<button class="button primary" type="submit">Send</button>
<code class="faint" id="try-request"></code>
</div>
</form>
<div class="response" id="try-response" tabindex="-1" role="group" aria-labelledby="try-status" hidden>
<p class="message" id="try-status" role="status"></p>
<table id="try-headers">
<caption>Response headers</caption>
<tbody></tbody>
</table>
<div id="try-body"></div>
</div>
`;
}

/** A list of choices, to which the page's script adds one to enter another value. */
function choiceField(name: string, label: string, options: Html | readonly Html[]): Html {
  return html`<div class="field" data-field="${name}">
<label for="try-${name}">${label}</label>
<select id="try-${name}">
${options}</select>
<input id="try-${name}-other" aria-label="${label}, custom value" autocomplete="off" autocapitalize="none" spellcheck="false" hidden>
</div>
`;
}

function option(value: string | number): Html {
  return html`<option value="${value}">${value}</option>\n`;
}
