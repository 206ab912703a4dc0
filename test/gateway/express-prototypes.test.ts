import assert from 'node:assert/strict';
import { createServer, IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import { describe, it } from 'node:test';
import express, { type Express } from 'express';
import { messageClasses } from '../../gateway/server.ts';
import { listenLocally } from '../free-port.ts';

/** Serves one request with the app's message classes. */
async function serveOne(app: Express, listener: RequestListener): Promise<Response> {
  const server = createServer(messageClasses(app), listener);
  const response = await fetch(`http://127.0.0.1:${await listenLocally(server)}/a?b`);
  await response.arrayBuffer();
  server.close();
  return response;
}

describe('messageClasses', () => {
  it('returns classes whose instances have the prototypes that Express sets', async () => {
    const app = express();
    app.use((_request, response) => void response.end());
    const prototypes: unknown[] = [];
    await serveOne(app, (request, response) => {
      const prototypesNow = () => [Object.getPrototypeOf(request), Object.getPrototypeOf(response)];
      prototypes.push(prototypesNow(), [app.request, app.response]);
      app(request, response);
      prototypes.push(prototypesNow());
    });
    const [before, own, after] = prototypes;
    assert.deepEqual(before, own);
    assert.deepEqual(after, own);
  });

  it("returns subclasses of Node's classes with everything that Express adds", async () => {
    const app = express();
    const stock = express();
    app.get('/a', (request, response) => {
      assert.ok(request instanceof IncomingMessage && response instanceof ServerResponse);
      assert.equal(request.app, app);
      assert.equal(request.path, '/a');
      assert.equal(request.ip, '127.0.0.1');
      for (const name in stock.request) assert.ok(name in request, name);
      for (const name in stock.response) assert.ok(name in response, name);
      response.vary('Origin').status(203).json({ url: request.url });
    });
    const reply = await serveOne(app, app);
    assert.deepEqual([reply.status, reply.headers.get('vary')], [203, 'Origin']);
  });
});
