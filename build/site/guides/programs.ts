import { readdir, readFile } from 'node:fs/promises';
import { checksumLength } from '../../compile/checksum.ts';
import type { Example } from '../example.ts';
import { sampleOrigin } from '../sample-origin.ts';
import { moduleSyntax, oneFile, pythonSyntax } from './one-file.ts';

/** A program of the guides in one language, as one saves and runs it. */
export interface Program {
  readonly language: 'javascript' | 'python' | 'java';
  readonly name: string;
  /** What runs it, with the version that is enough. */
  readonly needs: string;
  readonly file: string;
  readonly command: string;
  readonly code: string;
}

const folder = new URL('samples/', import.meta.url);

/** The languages by the ending of their files, in the order in which pages show them. */
const languages = [
  {
    ending: '.mjs',
    language: 'javascript',
    name: 'JavaScript',
    needs: 'Node 20',
    command: 'node',
    syntax: moduleSyntax,
  },
  {
    ending: '.py',
    language: 'python',
    name: 'Python',
    needs: 'Python 3.9',
    command: 'python3',
    syntax: pythonSyntax,
  },
  { ending: '.java', language: 'java', name: 'Java', needs: 'Java 17', command: 'java', syntax: undefined },
] as const;

/**
 * The programs that stand in `samples/`, by their name: each in every language that it is written in, whole in one
 * file, about a year that the bank has.
 */
export async function programsOf({ year, shift }: Example): Promise<ReadonlyMap<string, readonly Program[]>> {
  const names = (await readdir(folder)).sort();
  const files = new Map<string, string>();
  for (const file of names) files.set(file, await readFile(new URL(file, folder), 'utf8'));
  const fill = (code: string) =>
    code
      .replaceAll('BASE_URL', sampleOrigin)
      .replaceAll('EXAM/YEAR', year)
      .replaceAll('SHIFT', shift)
      .replaceAll('CHECKSUM_LENGTH', String(checksumLength))
      .trimEnd();

  const programs = new Map<string, Program[]>();
  for (const { ending, syntax, command, ...about } of languages) {
    for (const file of names.filter((each) => each.endsWith(ending))) {
      const name = file.slice(0, -ending.length).toLowerCase();
      const code = fill(syntax ? oneFile(file, files, syntax) : (files.get(file) ?? ''));
      const program = { ...about, file, command: `${command} ${file}`, code };
      programs.set(name, [...(programs.get(name) ?? []), program]);
    }
  }
  return programs;
}
