import { setTimeout as delay } from 'node:timers/promises';
import request, { type Response } from 'supertest';
import { systemClock } from '../../gateway/clock.ts';
import { revokeKey } from '../../gateway/keys/revoke-key.ts';
import { type RunningGateway, runGateway } from '../gateway/running-gateway.ts';

/**
 * The service that the specification is held against: a gateway in this process, or any running one,
 * named by BASE_URL with keys in API_KEY, EXPIRED_API_KEY, REVOKED_API_KEY and SPENT_API_KEY (its monthly
 * quota spent), and in UNREACHABLE_BASE_URL a gateway whose authentication service is down.
 */
export interface Service {
  readonly baseUrl: string;
  /** Undefined: the service is running elsewhere, and nothing of it can be reached into. */
  readonly local: RunningGateway | undefined;
  readonly apiKey: string;
  /** A key on the free plan; elsewhere the same as `apiKey`. */
  readonly freeKey: string;
  readonly expiredKey: string | undefined;
  readonly revokedKey: string | undefined;
  /** A request without a key. */
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** A request with the key; waits where the rate asks for it. */
  download(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  close(): Promise<void>;
}

export async function openService(): Promise<Service> {
  const { BASE_URL: baseUrl, API_KEY: apiKey, EXPIRED_API_KEY, REVOKED_API_KEY } = process.env;
  if (baseUrl !== undefined) {
    if (apiKey === undefined) throw new Error('BASE_URL is given: give API_KEY too.');
    return {
      ...requests(baseUrl, apiKey),
      local: undefined,
      freeKey: apiKey,
      expiredKey: EXPIRED_API_KEY,
      revokedKey: REVOKED_API_KEY,
      close: async () => {},
    };
  }
  const local = await runGateway();
  const live = await local.createKey('reader');
  const free = await local.createKey('visitor', { plan: 'free' });
  const expired = await local.createKey('reader', { lifetime: 1 });
  const revoked = await local.createKey('reader');
  await revokeKey(local.database, systemClock, revoked.id);
  return {
    ...requests(local.baseUrl, live.key),
    local,
    freeKey: free.key,
    expiredKey: expired.key,
    revokedKey: revoked.key,
    close: () => local.close(),
  };
}

/** Why a row cannot be shown here, to be given as a test's `skip`. */
export function needs(name: string): string {
  return `the service runs elsewhere, and ${name} is not given`;
}

/** What the exams hold, read from the service itself. */
export interface Catalogue {
  readonly exam: string;
  readonly label: string;
  readonly years: readonly CatalogueYear[];
}

export interface CatalogueYear {
  readonly year: number;
  readonly shifts: readonly { readonly shift: string; readonly subjects: readonly string[] }[];
}

/** The exam codes that the specification shows (2.4). */
export const examCodes = ['neet', 'jeemain'] as const;

export async function readCatalogue(service: Service): Promise<Catalogue[]> {
  return Promise.all(
    examCodes.map(async (exam) => {
      const { label, years } = (await service.get(`/${exam}`)).body;
      const read = async (year: number) => ({
        year,
        shifts: (await service.get(`/${exam}/${year}`)).body.shifts,
      });
      return { exam, label, years: await Promise.all(years.map(read)) };
    }),
  );
}

function requests(baseUrl: string, apiKey: string): Pick<Service, 'baseUrl' | 'apiKey' | 'get' | 'download'> {
  const get: Service['get'] = (path, headers = {}) =>
    request(baseUrl)
      .get(path)
      .set(headers)
      .redirects(0)
      .buffer(true)
      .then((answer) => answer);
  return {
    baseUrl,
    apiKey,
    get,
    async download(path, headers = {}) {
      for (;;) {
        const answer = await get(path, { Authorization: `Bearer ${apiKey}`, ...headers });
        if (answer.status !== 429) return answer;
        await delay(Number(answer.headers['retry-after']) * 1000);
      }
    },
  };
}
