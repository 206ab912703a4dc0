import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sampleOrigin } from '../../../build/site/text.ts';
import { temporaryFolder } from '../../build/bank-folder.ts';
import type { RunningGateway } from '../../gateway/running-gateway.ts';
import { codeOf } from './page-samples.ts';
import { type Ran, runCommand, skipReason } from './run-sample.ts';

/** A program of a guide in one language, to be run as a reader would. */
export interface GuideProgram {
  readonly language: string;
  /** Why it cannot be run here. */
  readonly skip: string | false;
  /** Saves it in a new folder, for a service and a key. */
  save(baseUrl: string, key?: string): Promise<SavedProgram>;
}

export interface SavedProgram {
  /** Where it was saved, and is run. */
  readonly folder: string;
  /** By the command that the page says, and arguments after it. */
  run(...args: readonly string[]): Promise<Ran>;
}

/** A program of the guides that a gateway serves, in each of its languages. */
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
      /** Commands of compiled programs, by the address that is in them. */
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
              const ran = await runCommand([command, ...args].join(' '), folder, { API_KEY: key });
              // The first run is by the command of the page, which compiles: the others need not.
              if (command === `java ${program.file}`)
                compiled.set(baseUrl, await compiledJava(folder, program.file));
              return ran;
            },
          };
        },
      };
    }),
  );
}

/** Compiles a Java program, and returns the command that runs it in any folder. */
async function compiledJava(folder: string, file: string): Promise<string> {
  assert.equal((await runCommand(`javac -d classes ${file}`, folder, {})).status, 0);
  return `java -cp ${join(folder, 'classes')} ${file.replace('.java', '')}`;
}
