/** Releases with one flipped bit, in every kind of file. */
import assert from 'node:assert/strict';
import { mkdtemp, open, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { DamagedRelease, manifestFile } from '../../../build/release/manifest.ts';
import { CurrentRelease } from '../../../gateway/release/current-release.ts';
import { switchTo } from '../../gateway/release/write-release.ts';
import { createGatewayFixture } from './gateway-fixture.ts';
import { get } from './http-get.ts';
import { positions } from './positions.ts';
import { shortOrLong } from './short-or-long.ts';
import { paths, publishSmallRelease, shiftFolder, writeSmallRelease } from './small-release.ts';
import { waitUntil } from './wait-until.ts';

const timeout = shortOrLong(120_000, 900_000);

/** A file of each kind: its path in the release, and the request that it is sent for. */
const kinds = [
  { kind: 'the manifest', file: manifestFile, path: undefined, coding: undefined },
  { kind: 'a public body', file: 'public/neet', path: paths.public, coding: 'identity' },
  { kind: 'a protected body', file: `${shiftFolder}/physics.json`, path: paths.paper, coding: 'identity' },
  { kind: 'a body in Brotli', file: `${shiftFolder}/physics.json.br`, path: paths.paper, coding: 'br' },
  { kind: 'a body in gzip', file: `${shiftFolder}/physics.json.gz`, path: paths.paper, coding: 'gzip' },
  { kind: 'a diagram', file: `${shiftFolder}/diagrams/small.png`, path: paths.small, coding: 'identity' },
  {
    kind: 'a large diagram',
    file: `${shiftFolder}/diagrams/large.png`,
    path: paths.large,
    coding: 'identity',
  },
] as const;

/** Flips a bit of the byte at this offset. Flipping it twice restores the file. */
async function flipBit(file: string, at: number): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    const byte = Buffer.alloc(1);
    await handle.read(byte, 0, 1, at);
    byte[0] = (byte[0] ?? 0) ^ (1 << (at % 8));
    await handle.write(byte, 0, 1, at);
  } finally {
    await handle.close();
  }
}

describe('A release with one flipped bit', () => {
  for (const { kind, file } of kinds) {
    it(`at any byte of ${kind} is rejected at start`, { timeout }, async (t) => {
      const dist = await mkdtemp(join(tmpdir(), 'pastpaper-fault-'));
      t.after(() => rm(dist, { recursive: true }));
      const damaged = join(await publishSmallRelease(dist, 'first'), file);
      const places = positions(
        (await stat(damaged)).size,
        shortOrLong(30, file.endsWith('large.png') ? 500 : 100_000),
      );
      for (const at of places) {
        await flipBit(damaged, at);
        await assert.rejects(CurrentRelease.open(dist, assert.fail), DamagedRelease, `${file} at ${at}`);
        await flipBit(damaged, at);
      }
      await (await CurrentRelease.open(dist, assert.fail)).close();
      t.diagnostic(`${places.length} places of ${file}`);
    });
  }

  it('in any file is rejected by a running gateway, which keeps serving the previous release', {
    timeout,
  }, async (t) => {
    const fixture = await createGatewayFixture(t);
    const { key } = await fixture.accounts.create('reader', 'roomy');
    const gateway = await fixture.start();
    const rejections = () =>
      gateway.stderrLines.filter((line) => line.includes('The new release cannot be served')).length;
    const whole = new Map<string, Buffer>();
    for (const { file } of kinds) whole.set(file, await readFile(join(fixture.release, file)));
    let swaps = 0;
    for (const { file } of kinds) {
      const { size } = await stat(join(fixture.release, file));
      for (const at of positions(size, shortOrLong(2, 25)).slice(1)) {
        swaps += 1;
        const damaged = await writeSmallRelease(fixture.distDir, `damaged${swaps}`);
        await flipBit(join(damaged, file), Math.min(at, (await stat(join(damaged, file))).size - 1));
        await switchTo(fixture.distDir, `damaged${swaps}`);
        gateway.process.kill('SIGHUP');
        await waitUntil(() => rejections() === swaps);
        for (const served of kinds) {
          if (served.path === undefined) continue;
          const response = await get(gateway.origin, served.path, key, { 'accept-encoding': served.coding });
          assert.equal(response.status, 200);
          assert.ok(whole.get(served.file)?.equals(response.bytes), served.file);
        }
        await rm(damaged, { recursive: true });
      }
    }
    await publishSmallRelease(fixture.distDir, 'next');
    gateway.process.kill('SIGHUP');
    await waitUntil(async () => (await get(gateway.origin, paths.paper, key)).bytes.includes('next'));
    assert.equal(await gateway.stop(), 0);
    t.diagnostic(`${swaps} damaged releases were rejected`);
  });

  it('that appears after loading is detected: the response is a 500, or is cut off if it has begun', {
    timeout,
  }, async (t) => {
    const fixture = await createGatewayFixture(t);
    const { key } = await fixture.accounts.create('reader', 'roomy');
    const { origin, stop } = await fixture.start();
    const seen = new Map<string, number>();
    for (const { file, path, coding } of kinds) {
      if (path === undefined) continue;
      const damaged = join(fixture.release, file);
      const whole = await readFile(damaged);
      for (const at of positions(whole.length, shortOrLong(15, 300))) {
        await flipBit(damaged, at);
        const outcome: string = await get(origin, path, key, { 'accept-encoding': coding }).then(
          ({ status }) => String(status),
          () => 'cut off',
        );
        assert.equal(outcome, file.endsWith('large.png') ? 'cut off' : '500', `${file} at ${at}`);
        seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
        await flipBit(damaged, at);
      }
      const restored = await get(origin, path, key, { 'accept-encoding': coding });
      assert.ok(restored.status === 200 && restored.bytes.equals(whole), file);
    }
    assert.equal(await stop(), 0);
    t.diagnostic([...seen].map(([outcome, count]) => `${outcome}: ${count}`).join(', '));
  });
});
