import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ExaminedShift } from '../check/examine.ts';
import type { ShiftCompiler } from '../check/work.ts';
import {
  compiledShift,
  shiftAnswers,
  type WrittenAnswer,
  type WrittenShift,
} from '../compile/compile-shift.ts';
import { checkDescribed, jsonType, protectedFile } from '../compile/outputs.ts';
import { type ShiftFolder, shiftPath } from '../content/find.ts';
import type { ShiftFiles } from '../content/shift-files.ts';
import type { KnownDigests } from './written-shifts.ts';

/** Makes the answers of shifts, and writes them into the draft of a release as they are without a content coding. */
export class AnswerWriter implements ShiftCompiler {
  readonly #draft: string;
  readonly #known: KnownDigests;

  /** @param draft its folder, which need not be there yet */
  constructor(draft: string, known: KnownDigests) {
    this.#draft = draft;
    this.#known = known;
  }

  knows(digest: Buffer): boolean {
    return this.#known.has(digest);
  }

  /** @throws the file system's own error, with the path of the file */
  compile(folder: ShiftFolder, digest: Buffer, files: ShiftFiles, shift: ExaminedShift): WrittenShift {
    const path = shiftPath(folder);
    const answers = shiftAnswers(shift.papers, shift.diagrams);
    mkdirSync(join(this.#draft, protectedFile(path)), { recursive: true });
    const written = answers.files.map((file) => {
      const place = `${path}/${file.subject}.json`;
      checkDescribed('QuestionFile', place, file);
      return this.#write(place, jsonType, Buffer.from(JSON.stringify(file)));
    });
    for (const diagram of answers.diagrams) {
      const bytes = files.diagrams[shift.diagrams.indexOf(diagram)];
      if (!bytes || 'fault' in bytes || 'fault' in diagram.image)
        throw new Error(`The checks let ${diagram.path} pass, which is no image.`);
      written.push(this.#write(`${path}/diagrams/${diagram.file}`, diagram.image.mediaType, bytes));
    }
    return {
      digest: digest.toString('hex'),
      compiled: compiledShift(folder, answers.files),
      answers: written,
    };
  }

  #write(path: string, mediaType: string, body: Buffer): WrittenAnswer {
    const file = join(this.#draft, protectedFile(path));
    try {
      writeAt(file, body);
    } catch (error) {
      // Node names no file when the write itself fails: a full disk, a file size limit.
      throw Object.assign(error as Error, { path: file });
    }
    return { path, mediaType, size: body.length, sha256: createHash('sha256').update(body).digest('hex') };
  }
}

function writeAt(file: string, body: Buffer): void {
  try {
    writeFileSync(file, body);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, body);
  }
}
