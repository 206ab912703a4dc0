import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { hostFiles } from '../../../build/publish/hosts/host-files.ts';
import { temporaryFolder } from '../../build/bank-folder.ts';
import { tablesOf } from '../../build/hosts/generated-tables.ts';
import { rawGet } from '../../gateway/raw-request.ts';
import { hosts } from './running-host.ts';

for (const software of hosts) {
  describe(`The table of ${software.name}`, { skip: software.skip }, () => {
    it('serves 30,000 resources', async () => {
      const tables = tablesOf(300, 99);
      const release = await temporaryFolder();
      for (const { file, body } of hostFiles(tables).filter(({ file }) => file.startsWith('hosts/')))
        await write(join(release, file), body);
      await write(join(release, 'public/exam299/2098/index.json'), Buffer.from('exam299/2098/index.json'));
      const host = await software.start(release);
      try {
        assert.equal((await rawGet(host.baseUrl, '/exam299/2098')).body, 'exam299/2098/index.json');
        assert.equal((await rawGet(host.baseUrl, '/exam299/1999')).body, '{"error":"Year not found"}');
        assert.equal((await rawGet(host.baseUrl, '/exam300')).body, '{"error":"Exam not found"}');
      } finally {
        await host.close();
      }
    });
  });
}

async function write(path: string, body: Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, body);
}
