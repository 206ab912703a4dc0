import { createServer, type Server } from 'node:http';

/** Whether the gateway takes requests: not before it listens, and not while it stops. */
export interface Readiness {
  readonly ready: boolean;
}

/**
 * Answers on the operator's port: `/livez` while the process runs, `/readyz` while it takes requests.
 * Anything else there is 404.
 */
export function createHealthServer(readiness: Readiness): Server {
  return createServer((request, response) => {
    const answers: Record<string, number> = { '/livez': 200, '/readyz': readiness.ready ? 200 : 503 };
    const known = Object.hasOwn(answers, request.url ?? '');
    const status = known ? (answers[request.url ?? ''] ?? 404) : 404;
    response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' });
    response.end(status === 200 ? 'ok\n' : status === 503 ? 'stopping\n' : 'not found\n');
  });
}
