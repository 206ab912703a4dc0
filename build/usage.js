// @ts-check
const settings = `
Settings: CONTENT_DIR (content), DIST_DIR (dist), DATA_DIR (.data).
Exit status: 0 fine, 1 the content is at fault, 2 the command was used wrongly or could not run.
`;

/**
 * What `--help` prints for the commands of the build, by name. Plain data, so that help needs neither the compiler nor
 * the command itself.
 *
 * @type {Readonly<Record<string, string>>}
 */
export const buildUsage = {
  build: `Usage: npm run build [-- --watch]

Validates the content and publishes it as the current release. SIGNING_KEY names the private key that signs the release.

  --watch   build again on every save, until stopped
${settings}`,
  validate: `Usage: npm run validate [-- options]

Validates the content against its schemas and rules.

  --format text|github|sarif|junit|json
  --since REF      only what changed since a git ref
  --rule NAME      only the problems of this rule; may be repeated
  --fix            correct what has one right correction, and nothing else
  --fix=layout     also format the files
  --list-rules     list the rules
  --explain RULE   explain a rule, with an example
${settings}`,
  new: `Usage:
  npm run new -- exam EXAM SUBJECT... [--label LABEL]
  npm run new -- year EXAM/YEAR SHIFT...
  npm run new -- shift EXAM/YEAR/SHIFT
  npm run new -- paper EXAM/YEAR/SHIFT/SUBJECT

Creates files that are valid, to fill in. Files that exist stay as they are.

  exam    exam.json: npm run new -- exam neet physics chemistry biology --label NEET
  year    papers for several shifts: npm run new -- year neet/2025 05-04-s1 05-04-s2
  shift   a paper for each subject of the exam: npm run new -- shift neet/2025/2025-05-04-s1
  paper   one paper: npm run new -- paper neet/2025/2025-05-04-s1/physics
${settings}`,
  diff: `Usage: npm run diff -- REF [--format text|markdown]

Shows what changed in the content since a git ref.
${settings}`,
  preview: `Usage: npm run preview [-- FILE] [--since REF] [--port PORT]

Shows questions as a student sees them, and reloads them when they are saved.

  FILE          only this subject file
  --since REF   only what changed since a git ref
  --port PORT   the port to listen on
${settings}`,
  pull: `Usage: API_KEY=... npm run pull -- BASE_URL EXAM[/YEAR] --out DIR [--public-key FILE]

Downloads an exam, or one of its years, and keeps the copy up to date.

  --out DIR           the folder of the copy
  --public-key FILE   accept only what is signed with this key
${settings}`,
  verify: `Usage: npm run verify [-- --public-key FILE]

Checks the current release against its manifest, and against a new build of the content.

  --public-key FILE   also check that the release is signed with this key
${settings}`,
  releases: `Usage:
  npm run releases -- list [--json]
  npm run releases -- rollback [ID] [--json]
  npm run releases -- prune [--keep N] [--json]

  list       lists the releases, the current one first
  rollback   makes the previous release current, or the one with this ID
  prune      removes all but the current release and the last ones that were current

  --keep N   how many releases to keep (5)
  --json     print JSON
${settings}`,
};

const operatorStatus = `
Exit status: 0 fine, 1 the request cannot be met, 2 the command was used wrongly or could not run.
`;
const gatewaySettings = `
Settings are environment variables; the README lists them.
`;

/**
 * What `--help` prints for the commands of the gateway, by name. The launcher passes it to them.
 *
 * @type {Readonly<Record<string, string>>}
 */
export const gatewayUsage = {
  gateway: `Usage: npm run gateway

Serves the current release.
${gatewaySettings}`,
  auth: `Usage: npm run auth

Starts the authentication service by itself, for gateways elsewhere.
${gatewaySettings}`,
  keys: `Usage:
  npm run keys -- create --account NAME [--plan PLAN] [--expires 30d] [--name TEXT] [--json]
  npm run keys -- list [--account NAME] [--json]
  npm run keys -- revoke ID [--json]
  npm run keys -- revoke --account NAME [--json]

  --expires   the lifetime of the key: a whole number and s, m, h or d
  --name      what the key is for
  --json      print JSON

revoke with --account revokes all keys of the account.
${operatorStatus}`,
  accounts: `Usage:
  npm run accounts -- list [--json]
  npm run accounts -- plan NAME PLAN [--json]
  npm run accounts -- block NAME [--json]
  npm run accounts -- unblock NAME [--json]
  npm run accounts -- reset-link EMAIL [--json]

  plan         moves an account to another plan, from its next request on
  block        rejects its keys and its sign-in; unblock allows both again
  reset-link   prints a link to set a new password, valid for one hour

npm run keys -- revoke --account NAME revokes all keys of an account for good.
${operatorStatus}`,
  backup: `Usage: npm run backup -- FILE [--json]

Copies the SQLite database to a new FILE while gateways use it. For PostgreSQL, prints the command to use instead.
docs/operations.md describes how to restore a backup.
${operatorStatus}`,
  doctor: `Usage: npm run doctor [-- --json]

Checks settings, release, data folder, database, authentication service and ports, and changes nothing.
Run it with the gateway's settings, as the gateway's user.

Exit status: 0 fine, 1 there are problems, 2 the command was used wrongly or could not run.
`,
};
