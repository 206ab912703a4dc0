import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { writeObject } from '../../../build/release/objects.ts';
import {
  currentLink,
  type PublicResource,
  releasesFolder,
  rootFile,
  type ShiftAliases,
  type ShiftFile,
  type StoredObject,
  type StoredResource,
  sealRoot,
} from '../../../build/release/root.ts';

/** A response of a release: its bytes, uncompressed and in each stored coding. */
export interface ReleaseResponse {
  readonly access: 'public' | 'protected';
  readonly path: string;
  readonly mediaType: string;
  readonly identity: Buffer;
  readonly br?: Buffer;
  readonly gzip?: Buffer;
}

type ByYear<Value> = Readonly<Record<string, Readonly<Record<string, Value>>>>;

/**
 * Writes a release with these responses, without a build and without its public folder.
 *
 * @param aliases of the shifts of each exam and year
 * @returns its folder
 */
export async function writeRelease(
  distDir: string,
  name: string,
  responses: Iterable<ReleaseResponse> | AsyncIterable<ReleaseResponse>,
  aliases: ByYear<ShiftAliases>,
): Promise<string> {
  const folder = join(distDir, releasesFolder, name);
  const open: Record<string, PublicResource> = {};
  const closed = new Map<string, Record<string, ShiftFile>>();
  for await (const { access, path, mediaType, identity, br, gzip } of responses) {
    const resource: StoredResource = {
      mediaType,
      identity: writeObject(distDir, identity),
      ...(br && { br: writeObject(distDir, br) }),
      ...(gzip && { gzip: writeObject(distDir, gzip) }),
    };
    if (access === 'public') {
      open[path] = { ...resource, file: path };
      continue;
    }
    const [exam, year, shift, ...file] = path.split('/');
    const place = `${exam}/${year}/${shift}`;
    const files = closed.get(place) ?? {};
    files[file.join('/')] = { ...resource, crc32: crc32(identity) };
    closed.set(place, files);
  }
  const years: Record<string, Record<string, StoredObject>> = {};
  for (const [exam, ofExam] of Object.entries(aliases)) {
    years[exam] = {};
    for (const [year, ofYear] of Object.entries(ofExam)) {
      const list = Buffer.from(JSON.stringify({ exam, year }));
      const names = [...new Set(Object.values(ofYear))];
      const index = {
        ...{ exam, year, aliases: ofYear },
        list: {
          mediaType: 'application/json',
          identity: writeObject(distDir, list),
          crc32: crc32(list),
        },
        shifts: Object.fromEntries(
          names.map((shift) => [shift, closed.get(`${exam}/${year}/${shift}`) ?? {}]),
        ),
      };
      years[exam][year] = writeObject(distDir, Buffer.from(JSON.stringify(index)));
    }
  }
  await mkdir(folder, { recursive: true });
  const root = sealRoot({ encoder: 'none', public: open, years, hosts: {} });
  await writeFile(join(folder, rootFile), JSON.stringify(root));
  return folder;
}

/** Makes a release the current one, with one rename. */
export async function switchTo(distDir: string, name: string): Promise<void> {
  const link = join(distDir, `.${currentLink}-${name}`);
  await symlink(join(releasesFolder, name), link);
  await rename(link, join(distDir, currentLink));
}
