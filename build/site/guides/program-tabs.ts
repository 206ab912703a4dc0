import { type Html, html } from '../html.ts';
import type { Program } from './programs.ts';

/** A program in all its languages; the page's script makes tabs of it. */
export function programTabs(name: string, programs: readonly Program[]): Html {
  return html`<div class="samples" data-samples="${name}">
${programs.map(panel)}</div>
`;
}

function panel({ language, name, needs, file, command, code }: Program): Html {
  return html`<div class="sample" data-file="${file}" data-sample="${language}">
<p class="language">${name}</p>
<pre class="code" tabindex="0"><code>${code}</code></pre>
<p class="run">Save it as <code>${file}</code>, and run <code data-command>${command}</code> (${needs} or later).</p>
</div>
`;
}
