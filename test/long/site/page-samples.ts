import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A piece of code of a page. */
export interface Sample {
  /** Path of the page's file in the public tree. */
  readonly page: string;
  readonly language: string;
  readonly code: string;
  /** A program that the page says to save: under which name, and by which command it runs. */
  readonly program?: { readonly file: string; readonly command: string };
}

/** What the pages of a public tree show as code: samples by their language, and blocks that are marked as none. */
export async function codeOf(publicTree: string): Promise<{ samples: Sample[]; others: string[] }> {
  const pages = (await readdir(publicTree, { recursive: true }))
    .filter((file) => file.endsWith('.html'))
    .sort();
  const samples: Sample[] = [];
  const others: string[] = [];
  for (const page of pages) {
    const markup = await readFile(join(publicTree, page), 'utf8');
    // A sample's marks stand before its code, and no other code between them; the command to run it follows.
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

/** The text that escaped markup stands for. */
function text(markup: string): string {
  return markup.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}
