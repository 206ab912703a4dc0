/** An error that the user can fix. Commands print its message without a stack, and end with its exit status. */
export class UserError extends Error {
  /** 1: a problem with the content or the request, 2: the command could not run. */
  readonly exitStatus: 1 | 2 = 2;
}
