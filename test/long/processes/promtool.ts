import { spawnSync } from 'node:child_process';

/** Why tests that need promtool are skipped; in CI a missing promtool is a failure. */
export const skipWithoutPromtool = missing();

function missing(): string | false {
  if (spawnSync('promtool', ['--version']).status === 0) return false;
  const reason = 'promtool is not installed: it comes with Prometheus';
  if (process.env['CI']) throw new Error(`CI needs promtool: ${reason}`);
  return reason;
}

/** Runs promtool. Returns its output and exit status. */
export function promtool(
  args: readonly string[],
  input?: string,
): { readonly status: number | null; readonly output: string } {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8', input });
  return { status, output: stdout + stderr };
}
