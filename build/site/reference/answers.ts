import { type ApiError, apiErrors } from '../../release/errors.ts';
import { type Html, html } from '../html.ts';
import { type Description, type Operation, resolve } from '../openapi/openapi.ts';
import { inline } from './prose.ts';

/** Every status of an endpoint, with every message. */
export function statusTable({ responses }: Operation): Html {
  const rows = Object.entries(responses).filter(([status]) => status !== 'default');
  return html`<table>
<caption>Answers</caption>
${statusHead}<tbody>
${rows.flatMap(([status, { description, content }]) => {
  const messages = Number(status) < 400 ? [] : Object.values(content?.['application/json']?.examples ?? {});
  if (messages.length === 0) return [row(status, '', description)];
  return messages.map(({ summary, value }) => row(status, (value as { error: string }).error, summary));
})}</tbody>
</table>
`;
}

/** Errors, one a row; without saying which, every one that there is. */
export function errorTable(errors: readonly ApiError[] = Object.values(apiErrors)): Html {
  return html`<table>
${statusHead}<tbody>
${errors.map(({ status, message, cause }) => row(String(status), message, cause))}</tbody>
</table>
`;
}

const statusHead = html`<thead><tr><th scope="col">Status</th><th scope="col">Message</th><th scope="col">When</th></tr></thead>
`;

function row(status: string, message: string, when: string): Html {
  return html`<tr><th scope="row"><span class="status status-${status.charAt(0)}">${status}</span></th><td>${message}</td><td>${inline(when)}</td></tr>
`;
}

/** The header fields of an endpoint's answers: in which they are, and what they say. */
export function headerTable(description: Description, { responses }: Operation): Html {
  const rows = new Map<string, { field: string; text: string; statuses: string[] }>();
  for (const [status, { headers }] of Object.entries(responses)) {
    if (status === 'default') continue;
    for (const [field, reference] of Object.entries(headers)) {
      const { description: text } = resolve(description.components.headers, reference);
      const key = `${field}\n${text}`;
      const known = rows.get(key) ?? { field, text, statuses: [] };
      known.statuses.push(status);
      rows.set(key, known);
    }
  }
  const ordered = [...rows.values()].sort((a, b) => (a.field < b.field ? -1 : a.field > b.field ? 1 : 0));
  const every = Object.keys(responses).filter((status) => status !== 'default').length;
  return html`<table>
<caption>Header fields of the answers</caption>
<thead><tr><th scope="col">Field</th><th scope="col">Of</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${ordered.map(
  ({ field, text, statuses }) => html`<tr><th scope="row"><code>${field}</code></th><td>${
    statuses.length === every ? 'all' : statuses.join(', ')
  }</td><td>${inline(text)}</td></tr>
`,
)}</tbody>
</table>
`;
}
