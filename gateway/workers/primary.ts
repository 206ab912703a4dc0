/**
 * A gateway of several processes behind one port. This process, the primary one, starts the workers, which serve requests,
 * and replaces those that end. It decides on limits for all of them, writes usage, and verifies releases.
 */
import cluster, { type Worker } from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import { retryDelay } from '../../build/release/retry-delay.ts';
import { countFailedKeys } from '../access/failed-keys.ts';
import type { Config } from '../config.ts';
import type { LimitStore } from '../limits/store.ts';
import type { Log } from '../log/logger.ts';
import type { MetricValues, State } from '../ops/admin-server.ts';
import { registerReleaseMetrics } from '../ops/metrics.ts';
import { openOperations, originAt, type Running } from '../ops/run.ts';
import type { CurrentRelease, ReleaseFollowers } from '../release/current-release.ts';
import type { VerifiedRelease } from '../release/read-release.ts';
import type { ManifestPart } from '../release/response-table.ts';
import { openCounts, openReleases, type StartOptions } from '../start.ts';
import { realSystem } from '../system.ts';
import { answer, type Counters } from './decisions.ts';
import { PendingReplies, type ToPrimary, type ToWorker, toError, toSentConfig } from './messages.ts';

/** Milliseconds until a worker listens; one that takes longer is killed. */
const startTimeout = 60_000;

/** Milliseconds until workers have received a new release, or have sent their metrics. */
const replyTimeout = 2_000;

/** Milliseconds more than it takes to drain, until a worker that has not ended is killed. */
const exitTimeout = 5_000;

/** Milliseconds for which a worker must serve to be replaced at once. */
const soundTime = 10_000;

/** Milliseconds until a worker is replaced that ended early, and at most. */
const [minRestartDelay, maxRestartDelay] = [100, 30_000];

/** What the launcher and the command pass on beside the options of one process. */
export interface PrimaryOptions extends StartOptions {
  /** The compiled `worker.ts`. */
  readonly worker: string;
  /** V8's flags for each worker. */
  readonly flags?: readonly string[];
}

/** A gateway of several processes. */
export interface WorkersGateway extends Running {
  readonly releases: CurrentRelease;
  readonly developmentKey: string | undefined;
}

/**
 * Starts a gateway of several processes.
 *
 * @throws DamagedRelease, StorageError, ConfigError, ListenError
 */
export async function startWorkers(config: Config, log: Log, options: PrimaryOptions): Promise<WorkersGateway> {
  const { system = realSystem } = options;
  const operations = await openOperations(config, log);
  const { metrics, state } = operations;
  /** In the order in which they are closed. */
  const closings: (() => Promise<void>)[] = [async () => operations.close()];

  async function close(): Promise<void> {
    const results = [];
    for (const closing of closings) results.push(...(await Promise.allSettled([closing()])));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }

  try {
    const { releases, close: closeReleases } = await openReleases(config, operations, options);
    closings.unshift(closeReleases);
    // Migrates the database and creates the development key before the workers open it.
    const keys = config.introspection
      ? undefined
      : await (await import('../auth/open.ts')).openKeys(config, system, operations.log);
    if (keys) closings.unshift(() => keys.close());
    const counts = config.redis === undefined ? await openCounts(config, keys, system, operations) : undefined;
    if (counts) closings.unshift(() => counts.close());
    const { log: countedLog } = operations;
    const workers = new Workers(config, countedLog, state, releases, counts?.limits, options, (ended) =>
      metrics?.addEnded(ended),
    );
    closings.unshift(() => workers.kill());
    releases.followers = workers;
    if (metrics) {
      registerReleaseMetrics(releases, metrics);
      metrics.others = () => workers.metrics();
    }
    const port = await workers.start();
    return {
      port,
      origin: originAt(config.host, port),
      adminOrigin: operations.origin,
      releases,
      developmentKey: keys?.developmentKey,
      async stop(grace = 0) {
        state.phase = 'stopping';
        await workers.stop(grace).finally(close);
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Settings of one worker: what bounds the whole service is divided. */
function shareOf(config: Config): Config {
  const { workers, maxConnections, maxConnectionsPerAddress, cacheBytes } = config;
  const share = (bound: number) => Math.max(1, Math.floor(bound / workers));
  return {
    ...config,
    maxConnections: share(maxConnections),
    maxConnectionsPerAddress: share(maxConnectionsPerAddress),
    cacheBytes: share(cacheBytes),
  };
}

/** A worker that does not listen yet. */
interface Starting {
  resolve(port: number): void;
  reject(error: Error): void;
  /** Kills a worker that takes too long. */
  readonly timer: NodeJS.Timeout;
}

/** Starts workers, replaces those that end, and answers them. */
class Workers implements ReleaseFollowers {
  readonly #config: Config;
  readonly #log: Log;
  readonly #state: State;
  readonly #releases: CurrentRelease;
  readonly #options: PrimaryOptions;
  /** Is passed the last metrics of a worker that has ended. */
  readonly #onEnded: (metrics: MetricValues) => void;
  readonly #counters: Counters;
  readonly #all = new Set<Worker>();
  /** Those that listen, and when they began to: milliseconds of a monotonic clock. */
  readonly #serving = new Map<Worker, number>();
  readonly #starting = new Map<Worker, Starting>();
  readonly #replies = new PendingReplies<ToPrimary>();
  /** The last metrics of each worker. */
  readonly #metrics = new Map<Worker, MetricValues>();
  /** Workers in succession that ended early. */
  #failures = 0;
  #isStopping = false;
  /** What a worker could not write when it stopped. */
  #stopError: Error | undefined;
  /** Called when no worker is left: `stop` and `kill` may wait at the same time. */
  #onAllEnded: (() => void)[] = [];

  /** @param limits undefined: workers decide in Redis */
  constructor(
    config: Config,
    log: Log,
    state: State,
    releases: CurrentRelease,
    limits: LimitStore | undefined,
    options: PrimaryOptions,
    onEnded: (metrics: MetricValues) => void,
  ) {
    this.#config = config;
    this.#log = log;
    this.#state = state;
    this.#releases = releases;
    this.#options = options;
    this.#onEnded = onEnded;
    this.#counters = {
      take(account, plan, key) {
        const found = config.plans[plan];
        if (!limits || !found) throw new Error(`The plan "${plan}" is not configured here.`);
        return limits.take(account, found, key);
      },
      countFailedKey: countFailedKeys(options.system ?? realSystem),
    };
  }

  /**
   * Starts all workers.
   *
   * @returns the port
   * @throws ListenError, Error when a worker cannot start
   */
  async start(): Promise<number> {
    const { worker: exec, flags = [] } = this.#options;
    cluster.setupPrimary({ exec, args: [], execArgv: [...process.execArgv, ...flags] });
    const ports = await Promise.all(Array.from({ length: this.#config.workers }, () => this.#fork()));
    this.#state.phase = 'ready';
    return ports[0] ?? 0;
  }

  /**
   * Lets all workers drain and end.
   *
   * @param grace see `Running.stop`
   * @throws Error when a worker could not write everything
   */
  async stop(grace: number): Promise<void> {
    this.#isStopping = true;
    this.#broadcast({ kind: 'stop', grace });
    const { drain } = this.#config;
    const timer = setTimeout(() => void this.kill(), drain.delay + drain.time + exitTimeout);
    await this.#ended();
    clearTimeout(timer);
    if (this.#stopError) throw this.#stopError;
  }

  /** Kills the workers that are left. */
  async kill(): Promise<void> {
    this.#isStopping = true;
    for (const worker of this.#all) worker.process.kill('SIGKILL');
    await this.#ended();
  }

  begin(folder: string): void {
    this.#broadcast({ kind: 'release', folder });
  }

  add(part: ManifestPart): void {
    this.#broadcast({ kind: 'part', part });
  }

  async ready(): Promise<void> {
    await this.#askAll('prepare');
  }

  switchTo({ folder, release }: VerifiedRelease): void {
    this.#broadcast({ kind: 'switch', folder, release: release.id });
  }

  /** The metrics of all workers; the last known ones of a worker that does not reply. */
  async metrics(): Promise<readonly MetricValues[]> {
    for (const [worker, reply] of await this.#askAll('metrics')) {
      if (reply?.kind === 'done' && reply.metrics) this.#metrics.set(worker, reply.metrics);
    }
    return [...this.#metrics.values()];
  }

  #askAll(kind: 'prepare' | 'metrics'): Promise<[Worker, ToPrimary | undefined][]> {
    const ask = async (worker: Worker): Promise<[Worker, ToPrimary | undefined]> => [
      worker,
      await this.#replies.ask((id) => this.#send(worker, { kind, id }), replyTimeout),
    ];
    return Promise.all([...this.#serving.keys()].map(ask));
  }

  #fork(): Promise<number> {
    return new Promise((resolve, reject) => {
      const worker = cluster.fork();
      this.#all.add(worker);
      const timer = setTimeout(() => worker.process.kill('SIGKILL'), startTimeout);
      this.#starting.set(worker, { resolve, reject, timer });
      const ended = (reason: string) => this.#end(worker, reason);
      worker.on('message', (message: ToPrimary) => this.#receive(worker, message));
      worker.on('exit', (status, signal) => ended(signal || `status ${status}`));
      // The system could not start it, and there is no `exit`. Errors of a process that runs are those of its channel.
      worker.on('error', (error) => worker.process.pid === undefined && ended(error.message));
    });
  }

  #receive(worker: Worker, message: ToPrimary): void {
    switch (message.kind) {
      case 'loaded': {
        const { timeLimits } = this.#options;
        const config = toSentConfig(shareOf(this.#config));
        this.#send(worker, { kind: 'start', config, folder: this.#releases.folder, timeLimits });
        break;
      }
      case 'listening':
        this.#serving.set(worker, performance.now());
        if (!this.#isStopping) this.#state.phase = 'ready';
        this.#takeStarting(worker)?.resolve(message.port);
        break;
      case 'failed':
        if (this.#serving.has(worker)) {
          this.#stopError = toError(message.error);
          break;
        }
        this.#takeStarting(worker)?.reject(toError(message.error));
        worker.process.kill('SIGKILL');
        break;
      case 'questions':
        answer(message.questions, this.#counters, (answers) => this.#send(worker, { kind: 'answers', answers }));
        break;
      case 'refresh':
        void this.#releases
          .refreshInTime()
          .catch(() => {})
          .then(() => this.#send(worker, { kind: 'done', id: message.id }));
        break;
      case 'done':
        this.#replies.reply(message.id, message);
        break;
    }
  }

  #end(worker: Worker, reason: string): void {
    const servedSince = this.#serving.get(worker);
    this.#all.delete(worker);
    this.#serving.delete(worker);
    const metrics = this.#metrics.get(worker);
    if (metrics) this.#onEnded(metrics);
    this.#metrics.delete(worker);
    this.#takeStarting(worker)?.reject(new Error(`A worker ended with ${reason} before it was ready.`));
    if (this.#all.size === 0) for (const resolve of this.#onAllEnded.splice(0)) resolve();
    if (this.#isStopping) return;
    if (this.#serving.size === 0) this.#state.phase = 'starting';
    if (servedSince === undefined) return;
    if (performance.now() - servedSince >= soundTime) this.#failures = 0;
    void this.#replace(reason);
  }

  /** Starts workers until one serves. */
  async #replace(reason: string): Promise<void> {
    this.#log(`A worker ended with ${reason}. Starting another one.`, undefined, { level: 'error' });
    while (!this.#isStopping) {
      await delay(this.#restartDelay(), undefined, { ref: false });
      this.#failures += 1;
      try {
        if (!this.#isStopping) await this.#fork();
        return;
      } catch (error) {
        if (!this.#isStopping) this.#log('A worker could not be started. Retrying.', error);
      }
    }
  }

  #restartDelay(): number {
    return this.#failures === 0 ? 0 : retryDelay(this.#failures, minRestartDelay, maxRestartDelay);
  }

  #takeStarting(worker: Worker): Starting | undefined {
    const starting = this.#starting.get(worker);
    clearTimeout(starting?.timer);
    this.#starting.delete(worker);
    return starting;
  }

  #ended(): Promise<void> {
    if (this.#all.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onAllEnded.push(resolve);
    });
  }

  #broadcast(message: ToWorker): void {
    for (const worker of this.#all) this.#send(worker, message);
  }

  #send(worker: Worker, message: ToWorker): void {
    // An error means that the worker has ended, and `exit` follows.
    if (worker.isConnected()) worker.process.send(message, () => {});
  }
}
