import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { cp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { unpack } from '../../../build/client/pack.ts';
import { sampleOrigin } from '../../../build/site/text.ts';
import { temporaryFolder } from '../../build/bank-folder.ts';
import { responsesOf } from '../../build/release-folder.ts';
import { runGateway } from '../../gateway/running-gateway.ts';
import { codeOf, runCommand, runSample, skipReason } from './run-sample.ts';

const running = await runGateway({}, 'in-real-time');
after(() => running.close());
const { key } = await running.createKey('visitor');
const release = join(running.config.distDir, 'current');
const { samples, others } = await codeOf(join(release, 'public'));
/** Programs to save and TypeScript have their own tests in this folder. */
const pasted = samples.filter(
  ({ program, language }) => program === undefined && !['shell', 'typescript'].includes(language),
);
const shellCommands = samples.filter(({ language }) => language === 'shell');
const languages = [...new Set(pasted.map(({ language }) => language))];
const skips = new Map(
  await Promise.all(
    languages.map(async (language) => [language, await skipReason(language)] as const),
  ),
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
      const folder = await temporaryFolder();
      const clients = ['client.mjs', 'pastpaper.py'];
      for (const name of clients) await cp(join(release, 'public/docs', name), join(folder, name));
      const printed = await runSample(
        language,
        code.replaceAll(sampleOrigin, running.baseUrl),
        folder,
        {
          API_KEY: key,
          PYTHONDONTWRITEBYTECODE: '1',
        },
      );
      const file = (await readdir(folder)).find((name) => !clients.includes(name));
      if (file === undefined) assert.match(printed, /2026|\/docs\//);
      else await assertServed(join(folder, file), file);
    });
  }
});

/** Checks that a file is a pack, or the diagram of the bank with its name. */
async function assertServed(path: string, name: string): Promise<void> {
  const bytes = await readFile(path);
  if (name.endsWith('.zip')) {
    assert.ok(unpack(bytes).size > 0);
    return;
  }
  const responses = await responsesOf(running.config.distDir);
  const served = [...responses].find(([stored]) => stored.endsWith(`/diagrams/${name}`));
  assert.deepEqual(bytes, served?.[1]);
}

/** The check of each command, by its name. */
const checks: Readonly<Record<string, (code: string) => Promise<void>>> = {
  /** In an empty folder, without the packages of this repository. */
  async curl(code) {
    const folder = await temporaryFolder();
    const { stdout, stderr } = await runCommand(
      code.replaceAll(sampleOrigin, running.baseUrl),
      folder,
      {
        API_KEY: key,
      },
    );
    assert.match(stdout, /^copy has all of neet\/2026: .* every checksum verified/, stderr);
    const guide = await readFile(join(release, 'public/docs/guides/copy/index.html'), 'utf8');
    assert.ok(
      guide.includes(`<code>${hash('sha256', await readFile(join(folder, 'pull.mjs')))}</code>`),
    );
  },
};

describe('The commands in the guides', () => {
  it('download the program that mirrors a bank', () => {
    assert.deepEqual(shellCommands.map(({ code }) => scriptOf(code)).sort(), ['curl']);
  });

  for (const { page, code } of shellCommands) {
    it(`run as documented: ${page}: ${code}`, async () => {
      await (checks[scriptOf(code)] ?? assert.fail(`There is no check for ${code}`))(code);
    });
  }
});

function scriptOf(code: string): string {
  return /^(?:npm )?(\w+) /.exec(code)?.[1] ?? '';
}
