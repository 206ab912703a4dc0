import { setTimeout as delay } from 'node:timers/promises';
import request, { type Response, type Test } from 'supertest';
import { revokeKey } from '../../gateway/auth/keys.ts';
import { systemClock } from '../../gateway/clock.ts';
import { rawGet } from '../gateway/raw-request.ts';
import { type RunningGateway, runGateway } from '../gateway/running-gateway.ts';
import { ResponseChecker } from './described.ts';

/**
 * The service that the specification is held against: a gateway in this process, or any running one,
 * named by BASE_URL with keys in API_KEY, FREE_API_KEY, EXPIRED_API_KEY, REVOKED_API_KEY and SPENT_API_KEY (its monthly
 * quota spent), and in UNREACHABLE_BASE_URL a gateway whose authentication service is down.
 *
 * Whatever it answers is held against its own description of the API.
 */
export interface Service extends Requests {
  /** Undefined: the service is running elsewhere, and nothing of it can be reached into. */
  readonly local: RunningGateway | undefined;
  /** A key on the free plan; elsewhere the same as `apiKey` unless FREE_API_KEY is given. */
  readonly freeKey: string;
  readonly expiredKey: string | undefined;
  readonly revokedKey: string | undefined;
  /** The requests to another gateway, with the key of this one. */
  at(baseUrl: string): Requests;
  close(): Promise<void>;
}

type Headers = Readonly<Record<string, string>>;

export interface Requests {
  readonly baseUrl: string;
  readonly apiKey: string;
  request(method: string, path: string, headers?: Headers): Promise<Response>;
  /** A request without a key. */
  get(path: string, headers?: Headers): Promise<Response>;
  /** A request with the key; waits where the rate asks for it. */
  download(path: string, headers?: Headers): Promise<Response>;
  /** A GET of a target that a client would repair, with lines of headers. */
  raw(target: string, headers?: readonly string[]): Promise<Pick<Response, 'status' | 'headers' | 'body'>>;
}

export async function openService(): Promise<Service> {
  const { BASE_URL: baseUrl, API_KEY: apiKey, FREE_API_KEY, EXPIRED_API_KEY, REVOKED_API_KEY } = process.env;
  if (baseUrl !== undefined) {
    if (apiKey === undefined) throw new Error('BASE_URL is given: give API_KEY too.');
    const described = await describedBy(baseUrl, false);
    return {
      ...requests(baseUrl, apiKey, described),
      at: (other) => requests(other, apiKey, described),
      local: undefined,
      freeKey: FREE_API_KEY ?? apiKey,
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
  const described = await describedBy(local.baseUrl, true);
  return {
    ...requests(local.baseUrl, live.key, described),
    at: (other) => requests(other, live.key, described),
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

/** The service's description of itself. */
async function describedBy(baseUrl: string, onlyDescribedHeaders: boolean): Promise<ResponseChecker> {
  const answer = await request(baseUrl).get('/docs/openapi.json');
  if (answer.status !== 200) throw new Error(`${baseUrl} has no description: ${answer.status}.`);
  return new ResponseChecker(answer.body, onlyDescribedHeaders);
}

function requests(baseUrl: string, apiKey: string, described: ResponseChecker): Requests {
  async function send(method: string, path: string, headers: Headers = {}): Promise<Response> {
    const call = request(baseUrl) as unknown as Record<string, (path: string) => Test>;
    const answer = await call[method.toLowerCase()]?.(path).set(headers).redirects(0).buffer(true);
    if (!answer) throw new Error(`There is no method ${method}.`);
    described.check(method, path, answer);
    return answer;
  }

  const get: Requests['get'] = (path, headers) => send('GET', path, headers);
  return {
    baseUrl,
    apiKey,
    request: send,
    get,
    async download(path, headers = {}) {
      for (;;) {
        const answer = await get(path, { Authorization: `Bearer ${apiKey}`, ...headers });
        if (answer.status !== 429) return answer;
        await delay(Number(answer.headers['retry-after']) * 1000);
      }
    },
    async raw(target, headers = []) {
      const { body, ...answer } = await rawGet(baseUrl, target, headers);
      const parsed = { ...answer, headers: { ...answer.headers }, body: JSON.parse(body) };
      described.check('GET', target, parsed);
      return parsed;
    },
  };
}
