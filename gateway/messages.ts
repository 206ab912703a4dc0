import { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Express } from 'express';
import { type Locals, noFields } from './http.ts';

/** What `http.createServer` makes its messages of. */
export interface MessageClasses {
  readonly IncomingMessage: typeof IncomingMessage;
  readonly ServerResponse: typeof ServerResponse;
}

/**
 * The classes of an app's requests and responses. Express gives each request and response the prototype
 * `app.request` or `app.response`, and with a new prototype V8 forgets what it knew of the object's shape
 * (expressjs/express#5998). Here Express's methods stand in the classes themselves, and their prototypes are
 * the app's: Express then sets the prototype that is there already, which changes nothing.
 */
export function messageClasses(app: Express): MessageClasses {
  const proxies: unknown = app.get('trust proxy');
  const ofExpress = Object.getOwnPropertyDescriptor(express.request, 'ip') ?? {};
  class GatewayRequest extends IncomingMessage {
    // What Express and its router note on a request: with room for it from the start, its shape does not change.
    res = undefined;
    next = undefined;
    baseUrl = '';
    originalUrl = '';
    params = undefined;
    _parsedUrl = undefined;
    rateLimit = undefined;

    /** Express's own goes through what proxies say; where none is trusted, it is the connection's. */
    get ip(): string | undefined {
      return proxies === false ? this.socket.remoteAddress : ofExpress.get?.call(this);
    }
  }
  class GatewayResponse extends ServerResponse {
    /** Express's own would be an object without a shape. */
    readonly locals = { target: undefined, key: undefined, fields: noFields } as unknown as Locals;
    /** When the request came, where that is asked for; see `RequestWatch`. */
    begunAt = 0;
  }
  takeOver(GatewayRequest.prototype, app.request, IncomingMessage.prototype);
  takeOver(GatewayResponse.prototype, app.response, ServerResponse.prototype);
  Object.assign(app, { request: GatewayRequest.prototype, response: GatewayResponse.prototype });
  return { IncomingMessage: GatewayRequest, ServerResponse: GatewayResponse as typeof ServerResponse };
}

/** Gives a prototype what another one has of its own or inherits, up to one that both inherit from. */
function takeOver(prototype: object, other: object, shared: object): void {
  for (let from = other; from !== shared; from = Object.getPrototypeOf(from)) {
    const missing = Object.entries(Object.getOwnPropertyDescriptors(from)).filter(
      ([name]) => !Object.hasOwn(prototype, name),
    );
    Object.defineProperties(prototype, Object.fromEntries(missing));
  }
}
