/**
 * The delay before another attempt: exponential backoff.
 *
 * @param failures in succession, at least 1
 * @param first milliseconds after the first failure
 * @param longest milliseconds at most
 */
export function retryDelay(failures: number, first: number, longest = Number.POSITIVE_INFINITY): number {
  return Math.min(longest, first * 2 ** (failures - 1));
}
