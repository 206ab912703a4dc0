import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeHTML } from 'entities';

/** A code sample of a page. */
export interface Sample {
  /** The path of the HTML file in the public tree. */
  readonly page: string;
  readonly language: string;
  readonly code: string;
  /** For a program to save: its file name, and the command that runs it. */
  readonly program?: { readonly file: string; readonly command: string };
}

/** The code of all pages of a public tree: samples with a language, and other code blocks. */
export async function codeOf(publicTree: string): Promise<{ samples: Sample[]; others: string[] }> {
  const pages = (await readdir(publicTree, { recursive: true }))
    .filter((file) => file.endsWith('.html'))
    .sort();
  const samples: Sample[] = [];
  const others: string[] = [];
  for (const page of pages) {
    const markup = await readFile(join(publicTree, page), 'utf8');
    // The attributes of a sample come before its code, without other code between; the command to run it follows.
    for (const [, file, language, code = '', command = ''] of markup.matchAll(
      /(?:(?:data-file="([^"]+)" )?data-sample="(\w+)">(?:(?!<pre)[\s\S])*)?<pre[^>]*><code>([\s\S]*?)<\/code><\/pre>(?:\s*<p class="run">.*<code data-command>([^<]+)<\/code>)?/g,
    )) {
      if (language === undefined) others.push(text(code));
      else
        samples.push({
          page,
          language,
          code: text(code),
          ...(file && { program: { file, command: text(command) } }),
        });
    }
  }
  return { samples, others };
}

/** The text of highlighted code. */
function text(markup: string): string {
  return decodeHTML(markup.replace(/<[^>]*>/g, ''));
}
