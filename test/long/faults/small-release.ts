import { brotliCompressSync, gzipSync } from 'node:zlib';
import { type ReleaseResponse, switchTo, writeRelease } from '../../gateway/release/write-release.ts';

const shift = '2024-05-05-s1';
const shifts = { neet: { '2024': { s1: shift, [shift]: shift } } };
const json = 'application/json; charset=utf-8';

/** Bytes of the large diagram: too large for the body cache, so that it is streamed, and for the buffers of sockets. */
const largeSize = 3_000_000;

/** The paths of the resources; protected ones use the shorthand of the shift. */
export const paths = {
  public: '/neet',
  paper: '/neet/2024/s1/physics.json',
  small: '/neet/2024/s1/diagrams/small.png',
  large: '/neet/2024/s1/diagrams/large.png',
} as const;

/** The folder of the shift's files in a release. */
export const shiftFolder = `protected/neet/2024/${shift}`;

/** Responses that contain the name of their release, with a body of each kind: public, protected, compressed, diagrams. */
export function responsesOf(name: string, morePapers: readonly string[] = []): ReleaseResponse[] {
  const text = { release: name, questions: [{ question: 'how much is one and one? '.repeat(20) }] };
  const paper = (file: string) => compressed('protected', `neet/2024/${shift}/${file}`, { ...text, file });
  const diagram = (file: string, size: number): ReleaseResponse => ({
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

function compressed(access: ReleaseResponse['access'], path: string, value: unknown): ReleaseResponse {
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
 * Writes a release with these responses.
 *
 * @returns its folder
 */
export function writeSmallRelease(
  distDir: string,
  name: string,
  morePapers?: readonly string[],
): Promise<string> {
  return writeRelease(distDir, name, responsesOf(name, morePapers), shifts);
}

/** Writes a release with these responses and switches `current` to it. */
export async function publishSmallRelease(
  distDir: string,
  name: string,
  morePapers?: readonly string[],
): Promise<string> {
  const folder = await writeSmallRelease(distDir, name, morePapers);
  await switchTo(distDir, name);
  return folder;
}
