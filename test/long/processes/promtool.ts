import { spawnSync } from 'node:child_process';

/** Why tests that need Prometheus's own tool are skipped; in CI a missing program is a failure. */
export const skipWithoutPromtool = missing();

function missing(): string | false {
  if (spawnSync('promtool', ['--version']).status === 0) return false;
  const reason = 'promtool is not installed: it comes with Prometheus';
  if (process.env['CI']) throw new Error(`CI needs promtool: ${reason}`);
  return reason;
}

/** Runs it, and gives all that it says, with its exit status. */
export function promtool(
  args: readonly string[],
  input?: string,
): { readonly status: number | null; readonly said: string } {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8', input });
  return { status, said: stdout + stderr };
}
