import { setTimeout as delay } from 'node:timers/promises';
import request, { type Response, type Test } from 'supertest';
import { revokeKey } from '../../gateway/accounts/keys.ts';
import { rawGet } from '../gateway/raw-request.ts';
import { type RunningGateway, runGateway } from '../gateway/running-gateway.ts';
import { ResponseChecker } from './response-checker.ts';

/**
 * The service that is tested against the specification: a gateway in this process, or a running one at BASE_URL,
 * with keys in API_KEY, FREE_API_KEY, EXPIRED_API_KEY, REVOKED_API_KEY and SPENT_API_KEY (its monthly
 * quota spent), and in UNREACHABLE_BASE_URL a gateway whose authentication service is down.
 *
 * Every response is checked against the OpenAPI description of the service.
 */
export interface Service extends Requests {
  /** The gateway in this process; undefined for a service at BASE_URL. */
  readonly local: RunningGateway | undefined;
  /** A key of the free plan. With BASE_URL: FREE_API_KEY, or else `apiKey`. */
  readonly freeKey: string;
  readonly expiredKey: string | undefined;
  readonly revokedKey: string | undefined;
  /** Requests to another gateway, with the same key. */
  at(baseUrl: string): Requests;
  /** Lets a time in milliseconds pass at the service. */
  pass(milliseconds: number): Promise<void>;
  /** The time at the service: milliseconds since 1970, UTC. */
  now(): number;
  close(): Promise<void>;
}

type Headers = Readonly<Record<string, string>>;

export interface Requests {
  readonly baseUrl: string;
  readonly apiKey: string;
  request(method: string, path: string, headers?: Headers): Promise<Response>;
  /** A request without a key. */
  get(path: string, headers?: Headers): Promise<Response>;
  /** A request with the key. Waits and retries after 429. */
  download(path: string, headers?: Headers): Promise<Response>;
  /** A GET of a target that HTTP clients would normalize, with header lines. */
  raw(
    target: string,
    headers?: readonly string[],
  ): Promise<Pick<Response, 'status' | 'headers' | 'body'>>;
}

export async function openService(): Promise<Service> {
  const {
    BASE_URL: baseUrl,
    API_KEY: apiKey,
    FREE_API_KEY,
    EXPIRED_API_KEY,
    REVOKED_API_KEY,
  } = process.env;
  if (baseUrl !== undefined) {
    if (apiKey === undefined) throw new Error('BASE_URL is given: give API_KEY too.');
    const described = await loadDescription(baseUrl, false);
    return {
      ...requests(baseUrl, apiKey, described),
      at: (other) => requests(other, apiKey, described),
      local: undefined,
      freeKey: FREE_API_KEY ?? apiKey,
      expiredKey: EXPIRED_API_KEY,
      revokedKey: REVOKED_API_KEY,
      pass: (milliseconds) => delay(milliseconds),
      now: () => Date.now(),
      close: async () => {},
    };
  }
  const local = await runGateway();
  const live = await local.createKey('reader');
  const free = await local.createKey('visitor', { plan: 'free' });
  const expired = await local.createKey('reader', { lifetime: 1 });
  const revoked = await local.createKey('reader');
  await local.pass(1);
  await revokeKey(local.database, local.system, revoked.id);
  const described = await loadDescription(local.baseUrl, true);
  return {
    ...requests(local.baseUrl, live.key, described),
    at: (other) => requests(other, live.key, described),
    local,
    freeKey: free.key,
    expiredKey: expired.key,
    revokedKey: revoked.key,
    pass: local.pass,
    now: local.system.now,
    close: () => local.close(),
  };
}

/** The reason to skip a test of a service at BASE_URL. */
export function needs(name: string): string {
  return `BASE_URL is set, and ${name} is not available`;
}

/** An exam with its years and shifts, read from the service. */
export interface Catalogue {
  readonly exam: string;
  readonly label: string;
  readonly years: readonly CatalogueYear[];
}

interface CatalogueYear {
  readonly year: number;
  readonly shifts: readonly { readonly shift: string; readonly subjects: readonly string[] }[];
}

/** The exam codes that the specification shows (2.4). */
const examCodes = ['neet', 'jeemain'] as const;

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

/** Loads the OpenAPI description of the service. */
async function loadDescription(
  baseUrl: string,
  onlyDescribedHeaders: boolean,
): Promise<ResponseChecker> {
  const response = await request(baseUrl).get('/docs/openapi.json');
  if (response.status !== 200)
    throw new Error(`${baseUrl} has no description: ${response.status}.`);
  return new ResponseChecker(response.body, onlyDescribedHeaders);
}

function requests(baseUrl: string, apiKey: string, described: ResponseChecker): Requests {
  async function send(method: string, path: string, headers: Headers = {}): Promise<Response> {
    const call = request(baseUrl) as unknown as Record<string, (path: string) => Test>;
    const response = await call[method.toLowerCase()]?.(path)
      .set(headers)
      .redirects(0)
      .buffer(true);
    if (!response) throw new Error(`There is no method ${method}.`);
    described.check(method, path, response);
    return response;
  }

  const get: Requests['get'] = (path, headers) => send('GET', path, headers);
  return {
    baseUrl,
    apiKey,
    request: send,
    get,
    async download(path, headers = {}) {
      for (;;) {
        const response = await get(path, { Authorization: `Bearer ${apiKey}`, ...headers });
        if (response.status !== 429) return response;
        await delay(Number(response.headers['retry-after']) * 1000);
      }
    },
    async raw(target, headers = []) {
      const { body, ...response } = await rawGet(baseUrl, target, headers);
      const parsed = { ...response, headers: { ...response.headers }, body: JSON.parse(body) };
      described.check('GET', target, parsed);
      return parsed;
    },
  };
}
