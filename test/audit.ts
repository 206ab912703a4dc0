/**
 * Asks the npm registry for known vulnerabilities of the production dependencies. High and critical ones fail. In CI, so
 * does an audit without a report, except at a registry that has no audit endpoint, such as a mirror.
 */
import { spawnSync } from 'node:child_process';

type Vulnerabilities = Readonly<Record<string, { readonly severity: string; readonly range: string }>>;

/** What `npm audit --json` prints: a report, or why there is none. */
interface Output {
  readonly vulnerabilities?: Vulnerabilities;
  /** Of an error in the project, such as a missing lock file. */
  readonly error?: { readonly summary: string };
  /** Of a failed request, with the status of the response if there was one. */
  readonly message?: string;
  readonly statusCode?: number;
}

/** Statuses of a server that has no such endpoint. */
const missingEndpoint: ReadonlySet<number> = new Set([404, 405, 410, 501]);

/** Milliseconds. npm tries three times, 10 s and 60 s apart. */
const timeout = 120_000;

// Offline, npm reports that there are no vulnerabilities.
const { stdout, error } = spawnSync('npm', ['audit', '--omit=dev', '--json', '--offline=false'], {
  encoding: 'utf8',
  timeout,
});
const output = parse(stdout);
process.exitCode =
  output?.vulnerabilities === undefined ? reportFailure(output) : reportVulnerabilities(output.vulnerabilities);

/** @returns undefined for text that is not JSON */
function parse(text: string | null): Output | undefined {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

/** @returns the exit status */
function reportFailure({ error: local, message, statusCode = 0 }: Output = {}): number {
  const reason = local?.summary || message || error?.message || 'npm audit printed no report';
  const isMissing = missingEndpoint.has(statusCode);
  console.error(
    `Dependencies were not audited: ${isMissing ? 'the registry has no audit endpoint' : 'npm audit failed'} (${reason}).`,
  );
  return !isMissing && (local?.summary || process.env['CI']) ? 1 : 0;
}

/** @returns the exit status */
function reportVulnerabilities(vulnerabilities: Vulnerabilities): number {
  const serious = Object.entries(vulnerabilities).filter(([, { severity }]) => ['high', 'critical'].includes(severity));
  for (const [name, { severity, range }] of serious)
    console.error(`${name} ${range}: ${severity}. npm audit --omit=dev prints details, npm audit fix may fix it.`);
  if (serious.length > 0) return 1;
  console.log('No high or critical vulnerabilities of production dependencies are known.');
  return 0;
}
