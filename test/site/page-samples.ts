import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A piece of code of a page. */
export interface Sample {
  /** Path of the page's file in the public tree. */
  readonly page: string;
  readonly language: string;
  readonly code: string;
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
    // A sample's mark stands before its code, and no other code between them.
    for (const [, language, code = ''] of markup.matchAll(
      /(?:data-sample="(\w+)">(?:(?!<pre)[\s\S])*)?<pre[^>]*><code>([\s\S]*?)<\/code><\/pre>/g,
    )) {
      if (language === undefined) others.push(text(code));
      else samples.push({ page, language, code: text(code) });
    }
  }
  return { samples, others };
}

/** The text that escaped markup stands for. */
function text(markup: string): string {
  return markup.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}
