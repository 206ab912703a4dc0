import { brotliCompressSync, gzipSync } from 'node:zlib';
import { type MadeAnswer, switchTo, writeRelease } from '../../gateway/release/made-release.ts';

const shift = '2024-05-05-s1';
const shifts = { neet: { '2024': { s1: shift, [shift]: shift } } };
const json = 'application/json; charset=utf-8';

/** Bytes of the large diagram: beyond what is kept in memory, so that it is streamed, and beyond what waits in sockets. */
const largeSize = 3_000_000;

/** Where everything of it is asked for; what needs a key by the shift's shorthand. */
export const paths = {
  open: '/neet',
  paper: '/neet/2024/s1/physics.json',
  small: '/neet/2024/s1/diagrams/small.png',
  large: '/neet/2024/s1/diagrams/large.png',
} as const;

/** The folder of the shift's files in a release. */
export const shiftFolder = `protected/neet/2024/${shift}`;

/** Answers that all tell of their release, with a body of each kind: public, protected, compressed, diagrams. */
export function answersOf(name: string, morePapers: readonly string[] = []): MadeAnswer[] {
  const text = { release: name, questions: [{ question: 'how much is one and one? '.repeat(20) }] };
  const paper = (file: string) => compressed('protected', `neet/2024/${shift}/${file}`, { ...text, file });
  const diagram = (file: string, size: number): MadeAnswer => ({
    access: 'protected',
    path: `neet/2024/${shift}/diagrams/${file}`,
    mediaType: 'image/png',
    identity: Buffer.alloc(size, `${file} of ${name} `),
  });
  return [
    compressed('public', 'neet', text),
    paper('physics.json'),
    ...morePapers.map(paper),
    diagram('small.png', 900),
    diagram('large.png', largeSize),
  ];
}

function compressed(access: MadeAnswer['access'], path: string, value: unknown): MadeAnswer {
  const identity = Buffer.from(JSON.stringify(value));
  return {
    access,
    path,
    mediaType: json,
    identity,
    br: brotliCompressSync(identity),
    gzip: gzipSync(identity),
  };
}

/**
 * Writes such a release.
 *
 * @returns its folder
 */
export function writeSmallRelease(
  distDir: string,
  name: string,
  morePapers?: readonly string[],
): Promise<string> {
  return writeRelease(distDir, name, answersOf(name, morePapers), shifts);
}

/** Writes such a release and makes it the current one. */
export async function publishSmallRelease(
  distDir: string,
  name: string,
  morePapers?: readonly string[],
): Promise<string> {
  const folder = await writeSmallRelease(distDir, name, morePapers);
  await switchTo(distDir, name);
  return folder;
}
