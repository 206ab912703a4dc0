import { readFile } from 'node:fs/promises';
import type { CompiledExam } from '../compile/compile.ts';
import type { Output } from '../publish/outputs.ts';
import { referencePage } from './reference.ts';

/** The static pages of a release, as part of its public tree. */
export async function siteOutputs(exams: readonly CompiledExam[]): Promise<Output[]> {
  return [
    page('docs', 'docs/index.html', 'text/html; charset=utf-8', Buffer.from(referencePage(exams))),
    page('docs/style.css', 'docs/style.css', 'text/css; charset=utf-8', await asset('style.css')),
    page('favicon.ico', 'favicon.ico', 'image/x-icon', await asset('favicon.ico')),
    page('robots.txt', 'robots.txt', 'text/plain; charset=utf-8', await asset('robots.txt')),
  ];
}

function page(path: string, file: string, mediaType: string, body: Buffer): Output {
  return { access: 'public', path, file: `public/${file}`, mediaType, body };
}

/** A file that stands beside this one. */
function asset(name: string): Promise<Buffer> {
  return readFile(new URL(name, import.meta.url));
}
