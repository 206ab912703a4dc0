/**
 * Says of a request and a response whether setting their prototypes, as Express does, leaves them the hidden class
 * that they had: with the classes that an app's messages have in the gateway, and with Node's own. To be run with
 * --allow-natives-syntax.
 */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import express, { type Express } from 'express';
import { messageClasses } from '../../gateway/server.ts';

const app = express();
const own = keepShapes(app, messageClasses(app));
const stock = keepShapes(express(), { IncomingMessage, ServerResponse });
process.stdout.write(JSON.stringify({ own, stock }));

function keepShapes(
  { request, response }: Express,
  classes: ReturnType<typeof messageClasses>,
): readonly boolean[] {
  // V8's own function; no parser but V8's knows its form.
  const haveSameMap = new Function('one', 'other', 'return %HaveSameMap(one, other)');
  const [untouched, passed] = [0, 1].map(() => {
    const message = new classes.IncomingMessage(new Socket());
    return { request: message, response: new classes.ServerResponse(message) };
  });
  Object.setPrototypeOf(passed?.request, request);
  Object.setPrototypeOf(passed?.response, response);
  return [
    haveSameMap(untouched?.request, passed?.request),
    haveSameMap(untouched?.response, passed?.response),
  ];
}
