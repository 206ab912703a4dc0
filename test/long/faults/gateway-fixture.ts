import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { request } from 'undici';
import { readRelease } from '../../../build/release/read.ts';
import type { ServerLimits } from '../../../gateway/server.ts';
import { temporaryFolder } from '../../build/bank-folder.ts';
import {
  type ReleaseResponse,
  switchTo,
  writeRelease,
} from '../../gateway/release/write-release.ts';
import {
  type MonitoredGateway,
  type Replica,
  type ResourceUsage,
  startMonitoredGateway,
  startReplica,
} from '../../gateway/server-process.ts';
import { Accounts } from '../accounts.ts';

/** Milliseconds for the tests of a file: long, so that only those that hang fail. */
export const timeout = 3_600_000;

/** Whether the full version runs: `npm run test:long -- faults`. */
export const isLong = process.env['FAULTS'] === 'all';

/** Chooses between the value of the short version and that of the full one (`npm run test:long -- faults`). */
export function shortOrLong(short: number, long: number): number {
  return isLong ? long : short;
}

const secret = randomBytes(32).toString('base64');

/** The settings of a gateway that asks an authentication service. */
export function introspectionAt(origin: string): Record<string, string> {
  return { INTROSPECTION_URL: `${origin}/auth/introspect`, INTROSPECTION_SECRET: secret };
}

export type GatewayFixture = Awaited<ReturnType<typeof createGatewayFixture>>;

/** Creates a small release, accounts and keys, for gateway processes that end with their test. */
export async function createGatewayFixture(t: TestContext, morePapers?: readonly string[]) {
  const folder = await temporaryFolder();
  const places = { distDir: join(folder, 'dist'), dataDir: join(folder, 'data') };
  await publishSmallRelease(places.distDir, 'first', morePapers);
  const accounts = await Accounts.open(join(places.dataDir, 'pastpaper.db'));
  const started: MonitoredGateway[] = [];
  t.after(async () => {
    for (const gateway of started) if (gateway.isRunning()) gateway.process.kill('SIGKILL');
    await accounts.close();
  });
  return {
    folder,
    ...places,
    /** Accounts and keys in the database of the data folder. */
    accounts,
    /** The usage of an account in the database, in the month of the test. */
    counted: async (account: string) => [...(await accounts.counted(account)).values()][0] ?? 0,
    /** @param module the module that starts the gateway, if it is not `gateway/main.ts` */
    async start(
      settings?: Readonly<Record<string, string>>,
      module?: string,
    ): Promise<MonitoredGateway> {
      const gateway = await startMonitoredGateway(
        { DIST_DIR: places.distDir, DATA_DIR: places.dataDir, ...settings },
        module,
      );
      started.push(gateway);
      return gateway;
    },
    /** Starts an authentication service for gateways with the settings of `introspectionAt`. */
    async startService(): Promise<Replica> {
      const own = { DIST_DIR: places.distDir, DATA_DIR: join(folder, 'service-data') };
      const service = await startReplica('auth', { ...own, INTROSPECTION_SECRET: secret });
      t.after(() => service.kill());
      return service;
    },
  };
}

/** Time limits of connections in short versions of tests. */
const shortLimits: ServerLimits = {
  header: 4_000,
  request: 4_000,
  checkInterval: 250,
  idle: 4_500,
  stalled: 4_500,
  response: 30_000,
  drain: 10_000,
  connections: 10_000,
};

/** Starts a gateway with the default time limits in the full version of a test, and with short ones in the short version. */
export function startWithServerLimits(fixture: GatewayFixture): Promise<MonitoredGateway> {
  return isLong
    ? fixture.start()
    : fixture.start(
        { TIME_LIMITS: JSON.stringify(shortLimits) },
        'test/long/faults/short-timeout-gateway.ts',
      );
}

const shift = '2024-05-05-s1';
const shifts = { neet: { '2024': { s1: shift, [shift]: shift } } };
const json = 'application/json; charset=utf-8';

/** Bytes of the large diagram: too large for the body cache, so that it is streamed, and for the buffers of sockets. */
const largeSize = 3_000_000;

/** The paths of the resources; protected ones use the shorthand of the shift. */
export const paths = {
  public: '/neet',
  paper: '/neet/2024/s1/physics.json',
  large: '/neet/2024/s1/diagrams/large.png',
} as const;

/** The path of the plain form of a file of the shift, such as `physics.json`. */
export async function objectOf(distDir: string, name: string, file: string): Promise<string> {
  const { root, readYear, pathOf } = await readRelease(distDir, name);
  const index = root.years['neet']?.['2024'];
  assert.ok(index);
  const stored = (await readYear(index)).shifts[shift]?.[file];
  assert.ok(stored);
  return pathOf(stored.identity);
}

/**
 * Writes a release whose responses contain its name, with a body of each kind: public, protected, compressed, a diagram.
 * Switches `current` to it.
 */
export async function publishSmallRelease(
  distDir: string,
  name: string,
  morePapers: readonly string[] = [],
): Promise<void> {
  const text = { release: name, questions: [{ question: 'how much is one and one? '.repeat(20) }] };
  const compressed = (access: ReleaseResponse['access'], path: string, value: unknown) => {
    const identity = Buffer.from(JSON.stringify(value));
    const coded = { identity, br: brotliCompressSync(identity), gzip: gzipSync(identity) };
    return { access, path, mediaType: json, ...coded };
  };
  const papers = ['physics.json', ...morePapers].map((file) =>
    compressed('protected', `neet/2024/${shift}/${file}`, { ...text, file }),
  );
  const diagram = {
    access: 'protected',
    path: `neet/2024/${shift}/diagrams/large.png`,
    mediaType: 'image/png',
    identity: Buffer.alloc(largeSize, `large.png of ${name} `),
  } as const;
  const responses = [compressed('public', 'neet', text), ...papers, diagram];
  await writeRelease(distDir, name, responses, shifts);
  await switchTo(distDir, name);
}

/** Flips a bit of the byte at this offset. Flipping it twice restores the file. */
export async function flipBit(file: string, at: number): Promise<void> {
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

/** The open connections of a gateway. */
export function connectionsOf({ resources }: ResourceUsage): number {
  return resources['TCPSocketWrap'] ?? 0;
}

/** Milliseconds for a response: long, so that only a request that hangs fails. */
const responseTimeout = 60_000;

/** Sends a GET request, with an API key if one is given, and reads the body without decoding it. */
export async function get(
  origin: string,
  path: string,
  key?: string,
  fields: Readonly<Record<string, string>> = {},
) {
  const { statusCode, headers, body } = await request(`${origin}${path}`, {
    headers: { ...(key !== undefined && { authorization: `Bearer ${key}` }), ...fields },
    signal: AbortSignal.timeout(responseTimeout),
  });
  return { status: statusCode, headers, bytes: Buffer.from(await body.arrayBuffer()) };
}

/** The remaining monthly quota, from the `RateLimit` field. */
export function remainingQuota({ headers }: Awaited<ReturnType<typeof get>>): number {
  return Number(/"quota";r=(\d+)/.exec(String(headers['ratelimit']))?.[1]);
}

/** Evenly spaced positions in a length, from the first to the last: at most `most`, or all if there are fewer. */
export function positions(length: number, most: number): number[] {
  if (length <= most) return Array.from({ length }, (_, index) => index);
  return Array.from({ length: most }, (_, index) =>
    Math.round((index * (length - 1)) / (most - 1)),
  );
}
