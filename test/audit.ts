/** Asks the registry what is known against the packages that the service is installed with. High and critical fail. */
import { spawnSync } from 'node:child_process';

type Vulnerabilities = Readonly<Record<string, { readonly severity: string; readonly range: string }>>;

interface Report {
  readonly vulnerabilities?: Vulnerabilities;
  readonly error?: { readonly summary: string };
  /** Where the endpoint answers with no report, or not at all. */
  readonly message?: string;
}

/** What npm says; undefined: nothing that is a report. */
function parse(text: string): Report | undefined {
  try {
    return JSON.parse(text) as Report;
  } catch {
    return undefined;
  }
}

const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
  encoding: 'utf8',
  timeout: 60_000,
});
const report = parse(stdout);
if (report?.vulnerabilities !== undefined) {
  judge(report.vulnerabilities);
} else if (report?.error !== undefined && report.message === undefined) {
  console.error(`npm audit failed: ${report.error.summary}`);
  process.exitCode = 1;
} else {
  const reason = report?.message ?? 'it gave no answer within 60 s';
  console.log(`Dependencies were not audited: the registry's audit endpoint cannot be reached (${reason}).`);
}

function judge(vulnerabilities: Vulnerabilities): void {
  const grave = Object.entries(vulnerabilities).filter(([, { severity }]) =>
    ['high', 'critical'].includes(severity),
  );
  for (const [name, { severity, range }] of grave)
    console.error(
      `${name} ${range}: ${severity}. npm audit --omit=dev tells more, npm audit fix may mend it.`,
    );
  if (grave.length === 0) console.log('Nothing high or critical is known against production dependencies.');
  else process.exitCode = 1;
}
