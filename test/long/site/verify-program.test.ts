import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { serveBank, startFakeService } from '../../build/client/fake-service.ts';
import { below, serve } from '../../build/client/served-bank.ts';
import { guidePrograms } from './run-sample.ts';

const shift = '2024-01-01-s1';
const paper = 'physics.json';
const service = await serve(undefined, undefined, undefined, 'in-real-time');
const files = below(`jeemain/2024/${shift}`, service.files);
const programs = await guidePrograms(service.running, 'checksum', ['javascript', 'python', 'java']);

// The others use the clients, which test/build/ tests.
for (const { language, skip, save } of programs.filter(({ language }) => language === 'java')) {
  describe(`The checksum program in the guide, in ${language}`, { skip }, () => {
    /** Runs the program on a copy of the shift, after a change to the copy. */
    async function verify(change: (folder: string) => Promise<void> = async () => {}) {
      const { folder, run } = await save(service.url);
      for (const [path, bytes] of files) {
        await mkdir(dirname(join(folder, 'copy', path)), { recursive: true });
        await writeFile(join(folder, 'copy', path), bytes);
      }
      const copied = join(folder, 'copy/jeemain/2024', shift);
      await change(copied);
      return run(copied);
    }

    it('accepts all checksums of the service', async () => {
      const stdout = `${shift} matches. Papers: 3, diagrams: 9.\n`;
      assert.deepEqual(await verify(), { status: 0, stdout, stderr: '' });
    });

    it('reports a paper with one changed byte, and its shift', async () => {
      const { status, stderr } = await verify((folder) =>
        changeByte(join(folder, paper), (bytes) => bytes.indexOf('"topic":"') + 10),
      );
      assert.equal(status, 1);
      assert.match(stderr, /^physics\.json has the checksum [0-9a-f]{12}, not [0-9a-f]{12}\.$/m);
      assert.match(
        stderr,
        new RegExp(`^The shift ${shift} has the checksum [0-9a-f]{12}, not [0-9a-f]{12}\\.$`, 'm'),
      );
    });

    it('reports a diagram with one changed byte', async () => {
      const [path = ''] = [...files.keys()].filter((path) => path.includes('/diagrams/'));
      const name = path.slice(path.lastIndexOf('/') + 1);
      const { status, stderr } = await verify((folder) =>
        changeByte(join(folder, 'diagrams', name), (bytes) => bytes.length >> 1),
      );
      assert.equal(status, 1);
      assert.match(
        stderr,
        new RegExp(`^${name} has the checksum [0-9a-f]{12}, not [0-9a-f]{12}\\.\\n$`),
      );
    });

    it('reports a truncated paper', async () => {
      const { status, stderr } = await verify(async (folder) => {
        const bytes = await readFile(join(folder, paper));
        await writeFile(join(folder, paper), bytes.subarray(0, bytes.length / 2));
      });
      assert.equal(status, 1);
      assert.match(stderr, /^physics\.json is not a complete paper: /m);
    });

    it('detects by the checksum of the shift a missing paper, and one replaced by a paper of another shift', async () => {
      const missing = await verify((folder) => rm(join(folder, paper)));
      assert.equal(missing.status, 1);
      const replaced = await verify(async (folder) => {
        const other = [...service.files].find(([path]) =>
          path.endsWith('2024-03-01-s1/physics.json'),
        );
        await writeFile(join(folder, paper), other?.[1] ?? assert.fail());
      });
      assert.equal(replaced.status, 1);
      for (const { stderr } of [missing, replaced])
        assert.match(
          stderr,
          new RegExp(`^The shift ${shift} has the checksum [0-9a-f]{12}, not [0-9a-f]{12}\\.\\n$`),
        );
    });

    it('serializes any text as in RFC 8785, however the file is formatted', async () => {
      const made = await startFakeService();
      after(() => made.close());
      const controls = String.fromCharCode(...Array.from({ length: 0x20 }, (_, code) => code));
      const text = `${controls}"\\/<>&'\u007f\u0080é\u2028\u2029\ufeff\ud83d\ude00\ufb33नमस्ते $\\frac{1}{2}$`;
      serveBank(made, {
        question: { question: text, [`b"é`]: [], b: true, ab: [1, 0, 120], a: {} },
      });
      const { folder, run } = await save(made.url);
      const copied = join(folder, '2024-05-05-s1');
      await mkdir(copied);
      const served = await (await fetch(`${made.url}/neet/2024/2024-05-05-s1/physics.json`)).text();
      const spaced = JSON.stringify(JSON.parse(served), undefined, 2);
      const escaped = spaced.replace(
        /[\u007f-\uffff/]/g,
        (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
      for (const written of [served, escaped]) {
        await writeFile(join(copied, paper), written);
        const stdout = '2024-05-05-s1 matches. Papers: 1, diagrams: 0.\n';
        assert.deepEqual(await run(copied), { status: 0, stdout, stderr: '' });
      }
    });
  });
}

/** Flips a bit of a letter or digit, so that the file stays valid. */
async function changeByte(file: string, place: (bytes: Buffer) => number): Promise<void> {
  const bytes = await readFile(file);
  const at = place(bytes);
  bytes.writeUInt8((bytes[at] ?? assert.fail()) ^ 1, at);
  await writeFile(file, bytes);
}
