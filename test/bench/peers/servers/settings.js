/** The settings of every server: where to listen, the folder of the question file, and the key. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const port = Number(process.env.PORT);
export const host = '127.0.0.1';
export const folder = process.env.FOLDER ?? '';
export const key = process.env.KEY ?? '';
/** The path of the question file in the folder. */
export const path = 'jeemain/2000/2000-01-01-s1/physics.json';
/** Limits that are never reached. */
export const limits = { perSecond: 1_000_000, perMonth: 1_000_000_000 };

/** The question file, and its compressed form. */
export function readQuestions() {
  const file = join(folder, path);
  return { plain: readFileSync(file), gzip: readFileSync(`${file}.gz`) };
}

/** Reports that the server accepts requests. */
export function ready() {
  console.log('ready');
}
