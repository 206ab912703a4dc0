/**
 * Prints whether a request and a response keep their hidden classes when their prototypes are set, as Express does:
 * `own` for the gateway's message classes, `stock` for Node's. Run it with --allow-natives-syntax.
 */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import express, { type Express } from 'express';
import { messageClasses } from '../../gateway/server.ts';

const app = express();
const own = keepHiddenClasses(app, messageClasses(app));
const stock = keepHiddenClasses(express(), { IncomingMessage, ServerResponse });
process.stdout.write(JSON.stringify({ own, stock }));

function keepHiddenClasses(
  { request, response }: Express,
  classes: ReturnType<typeof messageClasses>,
): readonly boolean[] {
  // Only V8 parses this syntax.
  const haveSameMap = new Function('one', 'other', 'return %HaveSameMap(one, other)');
  const [unchanged, changed] = [0, 1].map(() => {
    const message = new classes.IncomingMessage(new Socket());
    return { request: message, response: new classes.ServerResponse(message) };
  });
  Object.setPrototypeOf(changed?.request, request);
  Object.setPrototypeOf(changed?.response, response);
  return [
    haveSameMap(unchanged?.request, changed?.request),
    haveSameMap(unchanged?.response, changed?.response),
  ];
}
