import type { ServerResponse } from 'node:http';
import { eventHeaders } from './policy.ts';

/** Milliseconds after which a browser that lost the stream asks for it again. */
const retryTime = 1000;

/** Tells open pages which version of the content there is: server-sent events (HTML, 9.2). */
export class EventStream {
  readonly #listeners = new Set<ServerResponse>();

  /** Tells a page the version that there is, and each one that comes. */
  add(response: ServerResponse, version: string): void {
    response.writeHead(200, eventHeaders);
    if (response.req.method === 'HEAD') {
      response.end();
      return;
    }
    response.write(`retry: ${retryTime}\n${eventOf(version)}`);
    this.#listeners.add(response);
    response.on('close', () => this.#listeners.delete(response));
  }

  tell(version: string): void {
    for (const response of this.#listeners) response.write(eventOf(version));
  }
}

function eventOf(version: string): string {
  return `data: ${version}\n\n`;
}
