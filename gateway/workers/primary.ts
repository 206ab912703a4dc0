/**
 * A gateway of several processes behind one port. This process, the primary one, starts the workers, which serve
 * requests, and replaces those that end. It decides on limits for all of them, writes usage, and verifies releases.
 */
import cluster, { type Worker } from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import { retryDelay } from '../../build/release/waits.ts';
import { countFailedKeys } from '../access/failed-keys.ts';
import type { Config } from '../config.ts';
import type { LimitStore } from '../limits/store.ts';
import type { Log } from '../log/logger.ts';
import type { MetricValues } from '../ops/admin-server.ts';
import { registerReleaseMetrics } from '../ops/metrics.ts';
import { type Operations, openOperations, originAt } from '../ops/run.ts';
import type { CurrentRelease } from '../release/current-release.ts';
import type { VerifiedRelease } from '../release/release-request.ts';
import type { ManifestPart } from '../release/response-table.ts';
import { closeTogether, openCounts, openReleases, type StartOptions } from '../start.ts';
import { realSystem } from '../system.ts';
import { answer, type Counters } from './decisions.ts';
import {
  type Handlers,
  handle,
  PendingReplies,
  type ToPrimary,
  type ToWorker,
  toError,
} from './messages.ts';

/** Milliseconds until a worker listens; one that takes longer is killed. */
const startTimeout = 60_000;

/** Milliseconds until workers have received a new release, or have sent their metrics. */
const replyTimeout = 2_000;

/** Milliseconds more than it takes to drain, until a worker that has not ended is killed. */
const exitTimeout = 5_000;

/** Milliseconds for which a worker must serve to be replaced at once. */
const soundTime = 10_000;

/** Milliseconds until a worker is replaced that ended early, and at most. */
const minRestartDelay = 100;
const maxRestartDelay = 30_000;

/** What the launcher and the command pass on beside the options of one process. */
export interface PrimaryOptions extends StartOptions {
  /** The compiled `worker.ts`. */
  readonly worker: string;
  /** V8's flags for each worker. */
  readonly flags?: readonly string[];
}

/** Starts a gateway of several processes. @throws DamagedRelease, StorageError, ConfigError, ListenError */
export async function startWorkers(config: Config, log: Log, options: PrimaryOptions) {
  const { system = realSystem } = options;
  const operations = await openOperations(config, log);
  const { metrics, state } = operations;
  const { onClose, close } = closeTogether();
  onClose(async () => operations.close());
  try {
    const releases = await openReleases(config, operations, options, onClose);
    // Migrates the database and creates the development key before the workers open it.
    const keys = config.introspection
      ? undefined
      : await (await import('../auth/open.ts')).openKeys(config, system, operations.log);
    if (keys) onClose(() => keys.close());
    const counts =
      config.redis === undefined
        ? await openCounts(config, keys, system, operations, onClose)
        : undefined;
    const workers = openWorkers(config, operations, releases, counts?.limits, options);
    onClose(() => workers.kill());
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
      sharePlans: () => workers.sharePlans(),
      async stop(grace = 0) {
        state.phase = 'stopping';
        await workers.stop(grace).finally(close);
      },
    };
  } catch (error) {
    await close().catch(() => {});
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

/** A worker process. */
interface State {
  /** Settle the promise of its start. */
  readonly started: (port: number) => void;
  readonly failed: (error: Error) => void;
  readonly ended: Promise<void>;
  readonly end: () => void;
  /** When it began to listen: milliseconds of a monotonic clock. */
  servingSince?: number;
  /** The last that it has sent. */
  metrics?: MetricValues;
}

/**
 * Starts workers, replaces those that end, and answers them.
 *
 * @param limits undefined: workers decide in Redis
 */
function openWorkers(
  config: Config,
  operations: Operations,
  releases: CurrentRelease,
  limits: LimitStore | undefined,
  options: PrimaryOptions,
) {
  const all = new Map<Worker, State>();
  const replies = new PendingReplies<ToPrimary>();
  /** Workers in succession that ended early. */
  let failures = 0;
  let isStopping = false;
  /** What a worker could not write when it stopped. */
  let stopError: Error | undefined;
  const counters: Counters = {
    take: (account, plan, key) =>
      limits?.take(account, plan, key) ?? Promise.reject(new Error('Redis decides.')),
    countFailedKey: countFailedKeys(options.system ?? realSystem),
  };

  /** Asks the workers that serve, and waits for their replies. */
  async function askAll(kind: 'prepare' | 'metrics'): Promise<void> {
    const ask = async ([worker, state]: [Worker, State]) => {
      const reply = await replies.ask((id) => send(worker, { kind, id }), replyTimeout);
      if (reply?.kind === 'done' && reply.metrics) state.metrics = reply.metrics;
    };
    await Promise.all(
      [...all].filter(([, { servingSince }]) => servingSince !== undefined).map(ask),
    );
  }

  function allEnded(): Promise<unknown> {
    return Promise.all([...all.values()].map(({ ended }) => ended));
  }

  /** Starts a worker; resolves to its port. @throws ListenError, Error when it cannot start, or ends before */
  function fork(): Promise<number> {
    const worker = cluster.fork();
    const timer = setTimeout(() => worker.process.kill('SIGKILL'), startTimeout);
    return new Promise<number>((started, failed) => {
      let end = () => {};
      const ended = new Promise<void>((resolve) => {
        end = resolve;
      });
      const state = { started, failed, ended, end };
      all.set(worker, state);
      const handlers = handlersOf(worker, state);
      worker.on('message', (message: ToPrimary) => all.has(worker) && handle(handlers, message));
      worker.on('exit', (status, signal) => onEnd(worker, signal || `status ${status}`));
      // The system could not start it, and there is no `exit`. Errors of a process that runs are those of its channel.
      worker.on(
        'error',
        (error) => worker.process.pid === undefined && onEnd(worker, error.message),
      );
    }).finally(() => clearTimeout(timer));
  }

  function handlersOf(worker: Worker, state: State): Handlers<ToPrimary> {
    const { timeLimits } = options;
    return {
      loaded: () =>
        send(worker, {
          kind: 'start',
          config: shareOf(config),
          folder: releases.folder,
          timeLimits,
        }),
      listening: ({ port }) => {
        state.servingSince = performance.now();
        if (!isStopping) operations.state.phase = 'ready';
        state.started(port);
      },
      failed: ({ error }) => {
        if (state.servingSince !== undefined) {
          stopError = toError(error);
          return;
        }
        state.failed(toError(error));
        worker.process.kill('SIGKILL');
      },
      questions: ({ questions }) =>
        answer(questions, counters, (answers) => send(worker, { kind: 'answers', answers })),
      refresh: async ({ id }) => {
        await releases.refreshInTime().catch(() => {});
        send(worker, { kind: 'done', id });
      },
      done: (reply) => replies.reply(reply.id, reply),
    };
  }

  function onEnd(worker: Worker, reason: string): void {
    const state = all.get(worker);
    if (!state) return;
    all.delete(worker);
    if (state.metrics) operations.metrics?.addEnded(state.metrics);
    state.failed(new Error(`A worker ended with ${reason} before it was ready.`));
    state.end();
    if (isStopping) return;
    const serving = [...all.values()].filter(({ servingSince }) => servingSince !== undefined);
    if (serving.length === 0) operations.state.phase = 'starting';
    if (state.servingSince === undefined) return;
    if (performance.now() - state.servingSince >= soundTime) failures = 0;
    void replace(reason);
  }

  /** Starts workers until one serves. */
  async function replace(reason: string): Promise<void> {
    const { log } = operations;
    log(`A worker ended with ${reason}. Starting another one.`, undefined, { level: 'error' });
    while (!isStopping) {
      const wait = failures === 0 ? 0 : retryDelay(failures, minRestartDelay, maxRestartDelay);
      await delay(wait, undefined, { ref: false });
      failures += 1;
      try {
        if (!isStopping) await fork();
        return;
      } catch (error) {
        if (!isStopping) log('A worker could not be started. Retrying.', error);
      }
    }
  }

  function broadcast(message: ToWorker): void {
    for (const worker of all.keys()) send(worker, message);
  }

  function send(worker: Worker, message: ToWorker): void {
    // An error means that the worker has ended, and `exit` follows.
    if (worker.isConnected()) worker.process.send(message, () => {});
  }

  /** Kills the workers that are left. */
  async function kill(): Promise<void> {
    isStopping = true;
    for (const worker of all.keys()) worker.process.kill('SIGKILL');
    await allEnded();
  }

  return {
    kill,

    /** Starts all workers. @returns the port @throws ListenError, Error when a worker cannot start */
    async start(): Promise<number> {
      const { worker: exec, flags = [] } = options;
      cluster.setupPrimary({ exec, args: [], execArgv: [...process.execArgv, ...flags] });
      const ports = await Promise.all(Array.from({ length: config.workers }, () => fork()));
      operations.state.phase = 'ready';
      return ports[0] ?? 0;
    },

    /**
     * Lets all workers drain and end.
     *
     * @param grace see `Running.stop`
     * @throws Error when a worker could not write everything
     */
    async stop(grace: number): Promise<void> {
      isStopping = true;
      broadcast({ kind: 'stop', grace });
      const { drain } = config;
      const timer = setTimeout(() => void kill(), drain.delay + drain.time + exitTimeout);
      await allEnded();
      clearTimeout(timer);
      if (stopError) throw stopError;
    },

    begin(folder: string): void {
      broadcast({ kind: 'release', folder });
    },

    add(part: ManifestPart): void {
      broadcast({ kind: 'part', part });
    },

    async ready(): Promise<void> {
      await askAll('prepare');
    },

    switchTo({ folder, release }: VerifiedRelease): void {
      broadcast({ kind: 'switch', folder, release: release.id });
    },

    /** Sends the plans, which have changed. */
    sharePlans(): void {
      broadcast({ kind: 'plans', plans: config.plans });
    },

    /** The metrics of all workers; the last known ones of a worker that does not reply. */
    async metrics(): Promise<readonly MetricValues[]> {
      await askAll('metrics');
      return [...all.values()].flatMap(({ metrics }) => (metrics ? [metrics] : []));
    },
  };
}
