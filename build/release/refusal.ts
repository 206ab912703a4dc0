/** What was asked of the releases cannot be done; the message says why, and nothing was changed. */
export class ReleaseRefusal extends Error {
  override readonly name = 'ReleaseRefusal';
}
