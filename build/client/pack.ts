/** Packs: ZIP files with the papers and diagrams of a shift or year. */
import { unzipSync } from 'fflate';
import { RequestFailed } from './errors.ts';
import { filePath } from './resources.ts';

/** Bytes that the files of a pack may have together. */
const maxUnpackedSize = 2 ** 31;

/** Papers, diagrams and metadata, by their paths. */
export type Files = ReadonlyMap<string, Uint8Array>;

/** Reads the files of a ZIP file. Those that are no papers, diagrams or metadata of years are ignored. @throws RequestFailed */
export function unpack(zip: Uint8Array): Files {
  let left = maxUnpackedSize;
  try {
    const files = unzipSync(zip, {
      filter: ({ name, originalSize }) => {
        if (!filePath.test(name)) return false;
        left -= originalSize;
        if (left < 0) throw new RangeError();
        return true;
      },
    });
    return new Map(Object.entries(files));
  } catch {
    throw new RequestFailed('the response is not a complete ZIP file of a reasonable size');
  }
}
