import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import express, { type Express } from 'express';
import { messageClasses } from '../../gateway/server.ts';
import { repository } from './started-process.ts';

/** Answers one request with the app's classes of messages. */
async function answerOne(app: Express, listener: RequestListener): Promise<Response> {
  const server = createServer(messageClasses(app), listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/a?b`);
  await answer.arrayBuffer();
  server.close();
  return answer;
}

describe("The app's own classes of messages", () => {
  it('have the prototypes already that Express gives to requests and responses', async () => {
    const app = express();
    app.use((_request, response) => void response.end());
    const prototypes: unknown[] = [];
    await answerOne(app, (request, response) => {
      const look = () => [Object.getPrototypeOf(request), Object.getPrototypeOf(response)];
      prototypes.push(look(), [app.request, app.response]);
      app(request, response);
      prototypes.push(look());
    });
    const [before, own, after] = prototypes;
    assert.deepEqual(before, own);
    assert.deepEqual(after, own);
  });

  it("are Node's, with all that Express adds", async () => {
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
    const answer = await answerOne(app, app);
    assert.deepEqual([answer.status, answer.headers.get('vary')], [203, 'Origin']);
  });

  it('keep the shapes that V8 knows, while Express goes through with a request', () => {
    const script = fileURLToPath(new URL('shapes.ts', import.meta.url));
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--allow-natives-syntax', '--import', 'tsx', script],
      { cwd: repository, encoding: 'utf8' },
    );
    assert.deepEqual(JSON.parse(stdout || 'null'), { own: [true, true], stock: [false, false] }, stderr);
  });
});
