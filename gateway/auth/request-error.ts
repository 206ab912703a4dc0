/** A request that accounts and keys as they are do not allow. The message says what and why. */
export class RequestError extends Error {
  override readonly name: string = 'RequestError';
}

/** What the request is about is not there. */
export class MissingError extends RequestError {
  override readonly name = 'MissingError';
}
