/** Redis cannot be asked at present. The message says why. */
export class RedisAway extends Error {
  override readonly name = 'RedisAway';

  constructor(message: string) {
    super(message);
    // Where in this program it was met would tell a log's reader nothing.
    this.stack = `RedisAway: ${message}`;
  }
}
