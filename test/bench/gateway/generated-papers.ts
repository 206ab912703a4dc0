import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, gzipSync } from 'node:zlib';
import type { ReleaseTables } from '../../../build/release/manifest.ts';
import { type ReleaseResponse, switchTo, writeRelease } from '../../gateway/release/write-release.ts';
import { questionOf } from '../large-bank.ts';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** As in real papers: 45 questions, three papers a shift. */
const questionsPerPaper = 45;
const subjects = ['physics', 'chemistry', 'mathematics'];
const daysPerYear = 300;
const firstYear = 1990;

/** The URL path of a paper, with the full name of its shift. */
export function paperPath(paper: number): string {
  const { year, name } = shiftOf(Math.floor(paper / subjects.length));
  return `jeemain/${year}/${name}/${subjects[paper % subjects.length]}.json`;
}

/** Generates responses for papers like a build, but with fast compression, as there are thousands. */
export async function* generatePapers(papers: number, release: string): AsyncGenerator<ReleaseResponse> {
  for (let paper = 0; paper < papers; paper += 1) {
    const path = paperPath(paper);
    const questions = Array.from({ length: questionsPerPaper }, (_, index) =>
      questionOf(`${path}-${index}`, paper * questionsPerPaper + index),
    );
    const identity = Buffer.from(JSON.stringify({ release, path, total: questions.length, questions }));
    const [br, gz] = await Promise.all([
      compressBrotli(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
      compressGzip(identity),
    ]);
    yield { access: 'protected', path, mediaType: 'application/json; charset=utf-8', identity, br, gzip: gz };
  }
}

/** The URL path of the question file that `writeQuestions` writes. */
export const questionPath = 'neet/2024/s1/physics.json';

/**
 * Writes one question file: as a release in `dist` of a folder, and in `files` for other servers.
 *
 * @returns its size in bytes, uncompressed and as gzip
 */
export async function writeQuestions(
  folder: string,
): Promise<{ readonly plain: number; readonly gzip: number }> {
  const { value: paper } = await generatePapers(1, 'bench').next();
  if (!paper) throw new Error('no paper was made');
  const { identity } = paper;
  const gzip = gzipSync(identity, { level: 9 });
  const file = join(folder, 'files', questionPath);
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, identity);
  await writeFile(`${file}.gz`, gzip);
  const shift = '2024-05-05-s1';
  const stored = { ...paper, path: `neet/2024/${shift}/physics.json`, gzip };
  const dist = join(folder, 'dist');
  await writeRelease(dist, 'bench', [stored], { neet: { '2024': { s1: shift, [shift]: shift } } });
  await switchTo(dist, 'bench');
  return { plain: identity.length, gzip: gzip.length };
}

/** The shift aliases of the papers: the full name, and the position in the year. */
export function generateShifts(papers: number): ReleaseTables['shifts'] {
  const years: Record<string, Record<string, string>> = {};
  for (let number = 0; number < Math.ceil(papers / subjects.length); number += 1) {
    const { year, name } = shiftOf(number);
    const aliases = years[year] ?? {};
    years[year] = aliases;
    aliases[`s${(number % daysPerYear) + 1}`] = name;
    aliases[name] = name;
  }
  return { jeemain: years };
}

function shiftOf(number: number): { readonly year: string; readonly name: string } {
  const [year, day] = [firstYear + Math.floor(number / daysPerYear), number % daysPerYear];
  const date = new Date(Date.UTC(year, 0, 1 + day)).toISOString().slice(0, 10);
  return { year: String(year), name: `${date}-s1` };
}
