/** A release of which one byte is another, in every kind of its files. */
import assert from 'node:assert/strict';
import { mkdtemp, open, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { DamagedRelease, manifestFile } from '../../../build/release/manifest.ts';
import { CurrentRelease } from '../../../gateway/release/current-release.ts';
import { switchTo } from '../../gateway/release/made-release.ts';
import { ask } from './asked.ts';
import { makeFaultPlace } from './fault-place.ts';
import { positions } from './positions.ts';
import { rounds } from './rounds.ts';
import { paths, publishSmallRelease, shiftFolder, writeSmallRelease } from './small-release.ts';
import { until } from './until.ts';

const timeout = rounds(120_000, 900_000);

/** A file of each kind: its path in a release, and what is asked to be answered with it. */
const kinds = [
  { kind: 'the manifest', file: manifestFile, path: undefined, coding: undefined },
  { kind: 'a public body', file: 'public/neet', path: paths.open, coding: 'identity' },
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

/** Flips a bit of the byte in that place: twice, and it is as it was. */
async function flip(file: string, at: number): Promise<void> {
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

describe('A release of which one byte is damaged', () => {
  for (const { kind, file } of kinds) {
    it(`in ${kind}, whichever it is, is refused at the start`, { timeout }, async (t) => {
      const dist = await mkdtemp(join(tmpdir(), 'pastpaper-fault-'));
      t.after(() => rm(dist, { recursive: true }));
      const damaged = join(await publishSmallRelease(dist, 'first'), file);
      const places = positions(
        (await stat(damaged)).size,
        rounds(30, file.endsWith('large.png') ? 500 : 100_000),
      );
      for (const at of places) {
        await flip(damaged, at);
        await assert.rejects(CurrentRelease.open(dist, assert.fail), DamagedRelease, `${file} at ${at}`);
        await flip(damaged, at);
      }
      await (await CurrentRelease.open(dist, assert.fail)).close();
      t.diagnostic(`${places.length} places of ${file}`);
    });
  }

  it('in any of its files is refused by a gateway that runs, and the old one stays', {
    timeout,
  }, async (t) => {
    const place = await makeFaultPlace(t);
    const { key } = await place.accounts.create('reader', 'roomy');
    const gateway = await place.start();
    const refusals = () =>
      gateway.complaints.filter((line) => line.includes('A new release is refused')).length;
    const whole = new Map<string, Buffer>();
    for (const { file } of kinds) whole.set(file, await readFile(join(place.release, file)));
    let swaps = 0;
    for (const { file } of kinds) {
      const { size } = await stat(join(place.release, file));
      for (const at of positions(size, rounds(2, 25)).slice(1)) {
        swaps += 1;
        const damaged = await writeSmallRelease(place.distDir, `damaged${swaps}`);
        await flip(join(damaged, file), Math.min(at, (await stat(join(damaged, file))).size - 1));
        await switchTo(place.distDir, `damaged${swaps}`);
        gateway.process.kill('SIGHUP');
        await until(() => refusals() === swaps);
        for (const served of kinds) {
          if (served.path === undefined) continue;
          const answer = await ask(gateway.origin, served.path, key, { 'accept-encoding': served.coding });
          assert.equal(answer.status, 200);
          assert.ok(whole.get(served.file)?.equals(answer.bytes), served.file);
        }
        await rm(damaged, { recursive: true });
      }
    }
    await publishSmallRelease(place.distDir, 'next');
    gateway.process.kill('SIGHUP');
    await until(async () => (await ask(gateway.origin, paths.paper, key)).bytes.includes('next'));
    assert.equal(await gateway.stop(), 0);
    t.diagnostic(`${swaps} damaged releases were refused`);
  });

  it('after it was taken up serves no changed body: it is 500, or breaks off where it has begun', {
    timeout,
  }, async (t) => {
    const place = await makeFaultPlace(t);
    const { key } = await place.accounts.create('reader', 'roomy');
    const { origin, stop } = await place.start();
    const seen = new Map<string, number>();
    for (const { file, path, coding } of kinds) {
      if (path === undefined) continue;
      const damaged = join(place.release, file);
      const whole = await readFile(damaged);
      for (const at of positions(whole.length, rounds(15, 300))) {
        await flip(damaged, at);
        const got: string = await ask(origin, path, key, { 'accept-encoding': coding }).then(
          ({ status }) => String(status),
          () => 'broken off',
        );
        assert.equal(got, file.endsWith('large.png') ? 'broken off' : '500', `${file} at ${at}`);
        seen.set(got, (seen.get(got) ?? 0) + 1);
        await flip(damaged, at);
      }
      const mended = await ask(origin, path, key, { 'accept-encoding': coding });
      assert.ok(mended.status === 200 && mended.bytes.equals(whole), file);
    }
    assert.equal(await stop(), 0);
    t.diagnostic([...seen].map(([got, count]) => `${got}: ${count}`).join(', '));
  });
});
