import { after } from 'node:test';
import { type Preview, startPreview } from '../../../build/preview/preview.ts';
import { temporaryFolder, testNow } from '../bank-folder.ts';

/** Starts a preview of a content folder on a free port, and stops it after the suite. */
export async function runPreview(
  contentDir: string,
  shown: Partial<Parameters<typeof startPreview>[0]> = {},
): Promise<Preview & { readonly origin: string }> {
  const dataDir = await temporaryFolder();
  const preview = await startPreview({
    contentDir,
    dataDir,
    clock: () => testNow,
    port: 0,
    ...shown,
  });
  after(() => preview.close());
  return { ...preview, origin: new URL(preview.url).origin };
}
