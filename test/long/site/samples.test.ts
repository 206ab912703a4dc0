import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { sampleOrigin } from '../../../build/site/text.ts';
import { temporaryFolder } from '../../build/bank-folder.ts';
import { filesBelow } from '../../build/release-folder.ts';
import { runGateway } from '../../gateway/running-gateway.ts';
import { codeOf } from './page-samples.ts';
import { runSample, skipReason } from './run-sample.ts';

const running = await runGateway();
after(() => running.close());
const { key } = await running.createKey('visitor', { plan: 'free' });
const release = join(running.config.distDir, 'current');
const { samples, others } = await codeOf(join(release, 'public'));
/** Programs to save, npm commands and TypeScript have their own tests in this folder. */
const pasted = samples.filter(
  ({ program, language }) => program === undefined && !['shell', 'typescript'].includes(language),
);
const languages = [...new Set(pasted.map(({ language }) => language))];
const skips = new Map(
  await Promise.all(languages.map(async (language) => [language, await skipReason(language)] as const)),
);

describe('The code samples of the pages', () => {
  it('include at least one for each endpoint in each language', () => {
    for (const language of ['curl', 'javascript', 'python']) {
      assert.ok(pasted.filter((sample) => sample.language === language).length >= 5, language);
    }
  });

  it('are valid JSON if they have no language', () => {
    for (const code of others) assert.doesNotThrow(() => JSON.parse(code), code);
  });

  for (const { page, language, code } of pasted) {
    const lastLine = code.split('\n').at(-1);
    it(`run when pasted: ${page}, ${language}: ${lastLine}`, {
      skip: skips.get(language) ?? false,
    }, async () => {
      // The key is on the free plan: two requests in any second.
      if (code.includes('API_KEY')) await delay(1100);
      const folder = await temporaryFolder();
      const printed = await runSample(language, code.replaceAll(sampleOrigin, running.baseUrl), folder, {
        API_KEY: key,
      });
      const [file] = await readdir(folder);
      if (file === undefined) assert.match(printed, /2026|\/docs\//);
      else await assertDiagram(join(folder, file), file);
    });
  }
});

/** Checks that a file is the diagram of the bank with its name. */
async function assertDiagram(path: string, name: string): Promise<void> {
  const files = await filesBelow(join(release, 'protected'));
  const served = [...files].find(([stored]) => stored.endsWith(`/diagrams/${name}`));
  assert.deepEqual(await readFile(path), served?.[1]);
}
