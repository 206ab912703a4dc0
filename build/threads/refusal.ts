/**
 * What the file system refused in a thread. Between threads an error loses all but its message, and whoever reads it
 * wants to know which file it was.
 */
export interface Refusal {
  readonly refused: Pick<NodeJS.ErrnoException, 'message' | 'code' | 'syscall' | 'path'>;
}

/** Makes of an export of a thread's module one that hands over what the file system refused, instead of throwing it. */
export function refusing<Task, Result>(work: (task: Task) => Result | Promise<Result>) {
  return async (task: Task): Promise<Result | Refusal> => {
    try {
      return await work(task);
    } catch (error) {
      const { message, code, syscall, path } = error as NodeJS.ErrnoException;
      if (syscall === undefined) throw error;
      return {
        refused: {
          message,
          syscall,
          ...(code !== undefined && { code }),
          ...(path !== undefined && { path }),
        },
      };
    }
  };
}

/** @throws what the file system refused, as it was */
export function orThrow<Result>(result: Result | Refusal): Result {
  if (typeof result !== 'object' || result === null || !('refused' in result)) return result as Result;
  const { message, ...rest } = result.refused;
  throw Object.assign(new Error(message), rest);
}
