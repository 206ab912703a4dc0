import { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Express } from 'express';
import { type Locals, noFields } from './http.ts';

/** The classes of messages for `http.createServer`. */
interface MessageClasses {
  readonly IncomingMessage: typeof IncomingMessage;
  readonly ServerResponse: typeof ServerResponse;
}

/**
 * Creates the classes of an app's requests and responses. Express sets the prototype of each request and response to
 * `app.request` or `app.response`, which makes V8 drop what it has learned about the object's shape
 * (expressjs/express#5998). These classes contain Express's methods, and their prototypes are the app's: Express then
 * sets the prototype that is there already, which changes nothing.
 */
export function messageClasses(app: Express): MessageClasses {
  const proxies: unknown = app.get('trust proxy');
  const expressIp = Object.getOwnPropertyDescriptor(express.request, 'ip') ?? {};
  class GatewayRequest extends IncomingMessage {
    // Properties that Express and its router set. Declared here, they do not change the object's shape.
    res = undefined;
    next = undefined;
    baseUrl = '';
    originalUrl = '';
    params = undefined;
    _parsedUrl = undefined;
    rateLimit = undefined;

    /** Express's own getter parses X-Forwarded-For; without trusted proxies the address is the connection's. */
    get ip(): string | undefined {
      return proxies === false ? this.socket.remoteAddress : expressIp.get?.call(this);
    }
  }
  class GatewayResponse extends ServerResponse {
    /** Express's own has no prototype, which makes V8 use a slower kind of object. */
    readonly locals = { target: undefined, key: undefined, fields: noFields } as unknown as Locals;
    /** For `RequestObserver`. */
    startedAt = 0;
  }
  copyMissing(GatewayRequest.prototype, app.request, IncomingMessage.prototype);
  copyMissing(GatewayResponse.prototype, app.response, ServerResponse.prototype);
  Object.assign(app, { request: GatewayRequest.prototype, response: GatewayResponse.prototype });
  return { IncomingMessage: GatewayRequest, ServerResponse: GatewayResponse as typeof ServerResponse };
}

/** Copies the properties that a prototype lacks from another one, up to an ancestor that both share. */
function copyMissing(prototype: object, other: object, shared: object): void {
  for (let from = other; from !== shared; from = Object.getPrototypeOf(from)) {
    const missing = Object.entries(Object.getOwnPropertyDescriptors(from)).filter(
      ([name]) => !Object.hasOwn(prototype, name),
    );
    Object.defineProperties(prototype, Object.fromEntries(missing));
  }
}
