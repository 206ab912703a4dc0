import type { Manifest, Resources } from '../../build/release/manifest.ts';
import type { ReleasePiece } from './release.ts';
import type { Access } from './resource.ts';

/** Resources of a piece: what takes a millisecond or two to take up. */
const resourcesAtOnce = 250;

/** A manifest in pieces, shifts before resources. */
export function* piecesOf(manifest: Manifest): Generator<ReleasePiece> {
  for (const [exam, years] of Object.entries(manifest.shifts)) {
    for (const [year, aliases] of Object.entries(years)) yield { kind: 'shifts', exam, year, aliases };
  }
  yield* resourcePieces(manifest.public, 'public');
  yield* resourcePieces(manifest.protected, 'protected');
}

function* resourcePieces(resources: Resources, access: Access): Generator<ReleasePiece> {
  const entries = Object.entries(resources);
  for (let start = 0; start < entries.length; start += resourcesAtOnce) {
    yield { kind: 'resources', access, entries: entries.slice(start, start + resourcesAtOnce) };
  }
}
