import { readFile } from 'node:fs/promises';
import type { Schemas } from '../check/file/schema.ts';

let schemas: Promise<Schemas> | undefined;

/** Reads the schemas, which belong to this program and not to a bank: once, and each is compiled once then. */
export function readSchemas(): Promise<Schemas> {
  schemas ??= readFiles();
  return schemas;
}

async function readFiles(): Promise<Schemas> {
  const [exam, paper, exceptions] = await Promise.all(
    ['exam', 'subject-file', 'exceptions'].map(async (name): Promise<object> => {
      const file = new URL(`../../content/schema/${name}.schema.json`, import.meta.url);
      return JSON.parse(await readFile(file, 'utf8'));
    }),
  );
  if (!exam || !paper || !exceptions) throw new Error('A schema is missing.');
  return { exam, paper, exceptions };
}
