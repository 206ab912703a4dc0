import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sampleOrigin } from '../../../build/site/text.ts';
import { temporaryFolder } from '../../build/bank-folder.ts';
import type { RunningGateway } from '../../gateway/running-gateway.ts';
import { codeOf } from './page-samples.ts';
import { type RunResult, runCommand, skipReason } from './run-sample.ts';

/** A program in a guide, in one language. */
export interface GuideProgram {
  readonly language: string;
  /** Why it cannot run here. */
  readonly skip: string | false;
  /** Saves it in a new folder, with the address of a service and a key. */
  save(baseUrl: string, key?: string): Promise<SavedProgram>;
}

export interface SavedProgram {
  /** The folder in which it is saved and runs. */
  readonly folder: string;
  /** Runs the documented command with more arguments. */
  run(...args: readonly string[]): Promise<RunResult>;
}

/** The program of a guide, in each of its languages. */
export async function guidePrograms(
  { config }: RunningGateway,
  guide: string,
  languages: readonly string[],
): Promise<readonly GuideProgram[]> {
  const { samples } = await codeOf(join(config.distDir, 'current/public'));
  const own = samples.filter(({ page, program }) => program && page === `docs/guides/${guide}/index.html`);
  assert.deepEqual(
    own.map(({ language }) => language),
    languages,
  );
  return Promise.all(
    own.map(async ({ language, code, program = assert.fail() }) => {
      /** Commands of compiled programs, by the address of the service in them. */
      const compiled = new Map<string, string>();
      return {
        language,
        skip: await skipReason(language),
        async save(baseUrl: string, key = '') {
          const folder = await temporaryFolder();
          await writeFile(join(folder, program.file), code.replaceAll(sampleOrigin, baseUrl));
          return {
            folder,
            async run(...args: readonly string[]) {
              const command = compiled.get(baseUrl) ?? program.command;
              const result = await runCommand([command, ...args].join(' '), folder, { API_KEY: key });
              // The documented command compiles the program; later runs reuse the result.
              if (command === `java ${program.file}`)
                compiled.set(baseUrl, await compileJava(folder, program.file));
              return result;
            },
          };
        },
      };
    }),
  );
}

/** Compiles a Java program, and returns the command that runs it in any folder. */
async function compileJava(folder: string, file: string): Promise<string> {
  assert.equal((await runCommand(`javac -d classes ${file}`, folder, {})).status, 0);
  return `java -cp ${join(folder, 'classes')} ${file.replace('.java', '')}`;
}
