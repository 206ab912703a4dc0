import { hash } from 'node:crypto';
import { join } from 'node:path';
import type { PublishedShift, ShiftOutputs } from '../compile/compile-shift.ts';
import { digestOfShift, maxJsonBytes, readBytes, readShift } from '../content/file.ts';
import type { ExamPlace, ShiftFolder } from '../content/find.ts';
import type { Task } from '../pool.ts';
import type { Diagnostic } from './diagnostic.ts';
import {
  type PaperFacts,
  type ProcessedExam,
  type ProcessOptions,
  processExam,
  processShift,
  shiftFacts,
} from './process-shift.ts';

/** The part of the work that runs in worker threads: reading and processing units of content. */
export interface ContentTasks {
  /** The digest is undefined if the file cannot be read: the result is not cached. */
  readonly exams: Task<ExamPlace, ProcessedExam & { readonly digest: string | undefined }>;
  readonly shifts: Task<ShiftFolder, ShiftResult>;
  /** Reads only the ids and question texts of shifts. */
  readonly facts: Task<ShiftFolder, readonly PaperFacts[]>;
}

export type ShiftResult = { readonly milliseconds: number } & (
  | { readonly cached: string }
  | {
      /** Undefined if a file cannot be read: the result is not cached. */
      readonly digest: string | undefined;
      readonly diagnostics: readonly Diagnostic[];
      readonly facts: readonly PaperFacts[];
      readonly published: PublishedShift | undefined;
      readonly newFormulas: readonly number[];
    }
);

export interface ContentSetting {
  readonly contentDir: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Digests of shifts whose results are cached. */
  readonly cachedDigests: ReadonlySet<string>;
  /** Hashes of formulas that KaTeX accepts. */
  readonly validFormulas: Iterable<number>;
}

/**
 * @param store stores the outputs of shifts; without it, none are produced
 * @param loadKatex replaces the loading of KaTeX
 */
export function contentTasks(
  { contentDir, now, cachedDigests, validFormulas }: ContentSetting,
  store?: (outputs: ShiftOutputs) => PublishedShift,
  loadKatex?: ProcessOptions['loadKatex'],
): ContentTasks {
  const options: ProcessOptions = {
    now: new Date(now),
    validFormulas: new Set(validFormulas),
    compile: store !== undefined,
    loadKatex,
  };

  async function shift(folder: ShiftFolder): Promise<ShiftResult> {
    const start = performance.now();
    const files = readShift(contentDir, folder);
    const digest = digestOfShift(folder, files)?.toString('hex');
    if (digest !== undefined && cachedDigests.has(digest))
      return { cached: digest, milliseconds: performance.now() - start };
    const { outputs, diagnostics, facts, newFormulas } = await processShift(folder, files, options);
    const published = outputs && store?.(outputs);
    return {
      digest,
      diagnostics,
      facts,
      newFormulas,
      published,
      milliseconds: performance.now() - start,
    };
  }

  return {
    async exams(places) {
      return places.map((place) => {
        const bytes = readBytes(join(contentDir, place.path), maxJsonBytes);
        const digest = 'fault' in bytes ? undefined : hash('sha256', bytes);
        return { ...processExam(place, bytes), digest };
      });
    },

    async shifts(folders) {
      const results: ShiftResult[] = [];
      for (const folder of folders) results.push(await shift(folder));
      return results;
    },

    async facts(folders) {
      return folders.map((folder) => {
        return shiftFacts(
          folder,
          readShift(contentDir, { ...folder, translations: [], diagrams: [] }),
        );
      });
    },
  };
}
