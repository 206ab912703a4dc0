/** Code on the pages: blocks that the build highlights, and samples in several languages. */
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';
import type { ExamplePaper } from './example.ts';
import { Html, html } from './html.ts';
import { sampleOrigin } from './text.ts';

const grammars = { bash, javascript, json, python, typescript };
for (const [name, grammar] of Object.entries(grammars)) hljs.registerLanguage(name, grammar);
hljs.registerAliases(['curl', 'shell'], { languageName: 'bash' });

/** The code of a request in one language. */
export interface CodeSample {
  /** The language as viewers of descriptions know it. */
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

/** Parts that have no color of their own. */
const plain =
  /<span class="hljs-(?:attr|property|punctuation|variable|params)(?: \w+)?">([^<]*)<\/span>/g;

/** Renders a block of code, highlighted with classes. @param language a name or alias of a registered grammar */
export function codeBlock(code: string, language: string): Html {
  const markup = hljs.highlight(code, { language }).value.replace(plain, '$1');
  return html`<pre tabindex="0"><code>${new Html(markup)}</code></pre>\n`;
}

/** Renders one sample. @param label the name of the language */
export function sample(label: string, source: string): Html {
  const language = label.toLowerCase();
  return html`<div class="sample" data-sample="${language}">
<p class="hint language">${label}</p>
${codeBlock(source, language)}</div>
`;
}

/** A panel of tabs: code in one language. */
interface Panel {
  readonly label: string;
  /** The name of its file, if it is a program to save. */
  readonly file?: string;
  readonly content: Html;
}

/**
 * Renders the same in several languages as tabs, as the ARIA Authoring Practices describe them. Without scripts, the panels
 * are below each other.
 *
 * @param name unique on the page
 */
export function languageTabs(name: string, panels: readonly Panel[]): Html {
  const tabs = panels.map(({ label }, index) => {
    const id = `${name}-${label.toLowerCase()}`;
    const state = html`aria-selected="${String(index === 0)}" tabindex="${index === 0 ? 0 : -1}"`;
    return html`<button type="button" role="tab" id="${id}-tab" aria-controls="${id}" ${state}>${label}</button>\n`;
  });
  const shown = panels.map(({ label, file, content }, index) => {
    const language = label.toLowerCase();
    const id = `${name}-${language}`;
    const names = html`${index === 0 && html` data-shown`}${file && html` data-file="${file}"`} data-sample="${language}"`;
    return html`<div class="sample" id="${id}" role="tabpanel" aria-labelledby="${id}-tab"${names}>
<p class="hint language">${label}</p>
${content}</div>
`;
  });
  return html`<div class="samples">
<div class="tabs" role="tablist" aria-label="Language of the sample">
${tabs}</div>
${shown}</div>
`;
}

/** Renders a request in each language. @param name unique on the page */
export function sampleTabs(
  name: string,
  samples: readonly Pick<CodeSample, 'label' | 'source'>[],
): Html {
  return languageTabs(
    name,
    samples.map(({ label, source }) => ({
      label,
      content: codeBlock(source, label.toLowerCase()),
    })),
  );
}

/** Explains the origin in the samples where no script replaces it and the bank has no public URL. */
export function originNote({ origin }: ExamplePaper): Html {
  if (origin !== sampleOrigin) return html``;
  const origins = html`<code>${sampleOrigin}</code>`;
  return html`<noscript><p>The samples use ${origins}. Replace it with the address of the service.</p></noscript>`;
}
