/** Generated tables of releases, larger than any real one. */
import { createHash } from 'node:crypto';
import type { ReleaseTables, StoredResource } from '../../../build/release/manifest.ts';

export const json = 'application/json; charset=utf-8';
export const html = 'text/html; charset=utf-8';

export function stored(file: string, mediaType: string): StoredResource {
  const sha256 = createHash('sha256').update(file).digest('hex');
  return { mediaType, identity: { file: `public/${file}`, size: Buffer.byteLength(file), sha256 } };
}

/** Tables with exams, years of each, and two pages. */
export function tablesOf(exams: number, years: number): Pick<ReleaseTables, 'public' | 'shifts'> {
  const resources: Record<string, StoredResource> = {
    'favicon.ico': stored('favicon.ico', 'image/x-icon'),
    docs: stored('docs/index.html', html),
    'docs/style.css': stored('docs/style.css', 'text/css; charset=utf-8'),
  };
  const shifts: Record<string, Record<string, Record<string, string>>> = {};
  for (let exam = 0; exam < exams; exam += 1) {
    const code = `exam${exam}`;
    resources[code] = stored(`${code}/index.json`, json);
    const ofExam: Record<string, Record<string, string>> = {};
    shifts[code] = ofExam;
    for (let year = 2000; year < 2000 + years; year += 1) {
      resources[`${code}/${year}`] = stored(`${code}/${year}/index.json`, json);
      ofExam[year] = {};
    }
  }
  return { public: resources, shifts };
}
