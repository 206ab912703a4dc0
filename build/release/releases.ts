import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { lastCurrent, readHistory, type Switch } from './history.ts';
import {
  DamagedRelease,
  type Manifest,
  manifestFile,
  parseManifest,
  releasesFolder,
  storedVariants,
} from './manifest.ts';
import { currentName } from './switch.ts';

/** A release as its manifest and the history tell of it; its files are not looked at. */
export interface ReleaseListing {
  /** Its folder under `releases/`. */
  readonly name: string;
  readonly current: boolean;
  /** When it last became current or, of one that never was, when its manifest was written. ISO 8601, UTC. */
  readonly publishedAt: string;
  /** What is wrong with the manifest; then there are no figures. */
  readonly damage: string | null;
  readonly figures: ReleaseFigures | null;
}

export interface ReleaseFigures {
  readonly id: string;
  /** Answers that need no key, and such as need one: papers and diagrams. */
  readonly public: number;
  readonly protected: number;
  readonly papers: number;
  readonly diagrams: number;
  /** Of all files but the manifest itself. */
  readonly bytes: number;
}

/** What stands in a dist folder. */
export interface Stock {
  /** The name of the current one, if there is one. */
  readonly current: string | undefined;
  /** Names of all releases, damaged ones too; drafts are none. */
  readonly names: readonly string[];
  readonly history: readonly Switch[];
}

/** A folder that is not there has no releases. @throws the file system's own error */
export async function readStock(distDir: string): Promise<Stock> {
  const names = await readdir(join(distDir, releasesFolder)).catch((error) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return {
    current: await currentName(distDir),
    names: names.filter((name) => !name.startsWith('.')),
    history: await readHistory(distDir),
  };
}

/** The releases that stand under `dist/releases`, those that were current last first. */
export async function listReleases(distDir: string): Promise<ReleaseListing[]> {
  const stock = await readStock(distDir);
  const listings = await Promise.all(byRecency(stock).map((name) => listing(distDir, stock, name)));
  return listings.filter((each) => each !== undefined);
}

/** Names: the current one, then those that were current last first, then those that never were. */
export function byRecency({ names, history, current }: Stock): string[] {
  const placeOf = (name: string): number => {
    if (name === current) return history.length;
    const last = lastCurrent(history, name);
    return last ? history.indexOf(last) + (last.to === name ? 0.5 : 0) : -1;
  };
  return [...names].sort((one, other) => placeOf(other) - placeOf(one) || (one < other ? -1 : 1));
}

/** Undefined when it has gone meanwhile. */
async function listing(distDir: string, stock: Stock, name: string): Promise<ReleaseListing | undefined> {
  const folder = join(distDir, releasesFolder, name);
  const entry = await stat(folder).catch(() => undefined);
  if (!entry) return undefined;
  const written = await stat(join(folder, manifestFile)).catch(() => entry);
  const since = stock.history.findLast(({ to }) => to === name)?.at ?? written.mtime.toISOString();
  const base = { name, current: name === stock.current, publishedAt: since };
  try {
    const manifest = parseManifest(await readFile(join(folder, manifestFile), 'utf8'));
    return { ...base, damage: null, figures: figuresOf(manifest) };
  } catch (error) {
    if (error instanceof DamagedRelease) return { ...base, damage: error.message, figures: null };
    const { code } = error as NodeJS.ErrnoException;
    const damage = code === 'ENOENT' || code === 'ENOTDIR' ? 'is missing' : `cannot be read (${code})`;
    return { ...base, damage: `${manifestFile} ${damage}`, figures: null };
  }
}

function figuresOf(manifest: Manifest): ReleaseFigures {
  const paths = Object.keys(manifest.protected);
  const diagrams = paths.filter((path) => path.split('/').at(-2) === 'diagrams').length;
  const bytes = [...storedVariants(manifest)].reduce((sum, { size }) => sum + size, 0);
  return {
    id: manifest.id,
    public: Object.keys(manifest.public).length,
    protected: paths.length,
    papers: paths.length - diagrams,
    diagrams,
    bytes,
  };
}
