import { join } from 'node:path';
import { maxJsonBytes, readBytes } from '../content/file.ts';
import { Source } from '../content/positions.ts';

/** Reads the files again that problems point into; each once, as it is asked for. */
export function sources(contentDir: string): (path: string) => Source | undefined {
  const known = new Map<string, Source | undefined>();
  return (path) => {
    if (!known.has(path)) known.set(path, readSource(contentDir, path));
    return known.get(path);
  };
}

/** Undefined for a file without text, and for one that cannot be read. */
function readSource(contentDir: string, path: string): Source | undefined {
  if (!/\.(json|svg)$/.test(path)) return undefined;
  const bytes = readBytes(join(contentDir, path), maxJsonBytes);
  return 'fault' in bytes ? undefined : new Source(new TextDecoder('utf-8').decode(bytes));
}
