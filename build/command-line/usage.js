// @ts-check
const status = `
Exit status: 0 success, 1 a problem with the content or the request, 2 incorrect usage, or the command could not run.
`;
const settings = `
Settings: CONTENT_DIR (content), DIST_DIR (dist), DATA_DIR (.data).
${status.slice(1)}`;

/**
 * What `--help` prints for the commands of the build, by name. Plain data, so that help needs neither the compiler nor
 * the command itself. The overview has the first sentence of each description.
 *
 * @type {Readonly<Record<string, string>>}
 */
export const buildUsage = {
  init: `Usage: pastpaper init FOLDER

Creates a question bank to start from: two small papers, settings, a README, and a workflow for pull requests.
FOLDER must be empty or not exist yet.
${status}`,
  new: `Usage:
  pastpaper new exam EXAM SUBJECT... [--label LABEL]
  pastpaper new year EXAM/YEAR SHIFT...
  pastpaper new shift EXAM/YEAR/SHIFT
  pastpaper new paper EXAM/YEAR/SHIFT/SUBJECT

Creates valid files to fill in. Does not change existing files.

  exam    exam.json: pastpaper new exam neet physics chemistry biology --label NEET
  year    papers for several shifts: pastpaper new year neet/2025 05-04-s1 05-04-s2
  shift   a paper for each subject of the exam: pastpaper new shift neet/2025/2025-05-04-s1
  paper   one paper: pastpaper new paper neet/2025/2025-05-04-s1/physics
${settings}`,
  validate: `Usage: pastpaper validate [options]

Validates the content against its schemas and rules.

  --format text|github|sarif|junit|json
  --since REF      only what changed since a git ref
  --rule NAME      only the problems of this rule; may be repeated
  --fix            correct problems that have only one correct form
  --fix=layout     also format the files
  --list-rules     list the rules
  --explain RULE   explain a rule, with an example
${settings}`,
  preview: `Usage: pastpaper preview [FILE] [--since REF] [--port PORT]

Shows questions as a student sees them, and reloads them on every save.

  FILE          only this subject file
  --since REF   only what changed since a git ref
  --port PORT   the port to listen on
${settings}`,
  diff: `Usage: pastpaper diff REF [--format text|markdown]

Shows what changed in the content since a git ref.
${settings}`,
  build: `Usage: pastpaper build [--watch]

Validates the content and publishes it as the current release. SIGNING_KEY names the private key that signs the release.

  --watch   build again on every save, until stopped
${settings}`,
  verify: `Usage: pastpaper verify [--public-key FILE]

Checks the current release against its manifest and against a new build of the content.

  --public-key FILE   also check that the release is signed with this key
${settings}`,
  releases: `Usage:
  pastpaper releases list [--json]
  pastpaper releases rollback [ID] [--json]
  pastpaper releases prune [--keep N] [--json]
  pastpaper releases push STORE [--json]
  pastpaper releases pull STORE [--public-key FILE] [--json]

Lists releases, returns to an earlier one, removes old ones, and copies the current one between machines.

  list       lists the releases, the current one first
  rollback   makes the previous release current, or the one with this ID
  prune      removes old releases, except the current one and those that were current most recently
  push       uploads the current release to a store, and makes it current there
  pull       downloads the current release of a store, and makes it current here

  STORE               s3://BUCKET/PREFIX; pull also accepts the https:// address of a folder
  --keep N            how many releases to keep (5)
  --public-key FILE   accept only a release that is signed with this key
  --json              print JSON

s3:// requires AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and uses AWS_REGION and AWS_ENDPOINT_URL_S3.
If the release is signed, push requires its SIGNING_KEY.
${settings}`,
  pull: `Usage: API_KEY=... pastpaper pull BASE_URL EXAM[/YEAR] --out FOLDER [--public-key FILE]

Downloads an exam, or one of its years, and keeps the copy up to date.

  --out FOLDER        the folder for the copy
  --public-key FILE   accept only responses that are signed with this key
${status}`,
};

const gatewaySettings = `
Settings are environment variables, listed in docs/settings.md of the package.
`;

/**
 * What `--help` prints for the commands of the gateway, by name. The launcher passes it to them.
 *
 * @type {Readonly<Record<string, string>>}
 */
export const gatewayUsage = {
  gateway: `Usage: pastpaper gateway

Serves the current release.
${gatewaySettings}`,
  auth: `Usage: pastpaper auth

Starts the authentication service as a separate process, for gateways on other machines.
${gatewaySettings}`,
  keys: `Usage:
  pastpaper keys create --account NAME [--plan PLAN] [--expires 30d] [--name TEXT] [--json]
  pastpaper keys list [--account NAME] [--json]
  pastpaper keys revoke ID [--json]
  pastpaper keys revoke --account NAME [--json]

Creates, lists and revokes API keys.

  --expires   the lifetime of the key: a whole number and s, m, h or d
  --name      what the key is for
  --json      print JSON

revoke with --account revokes all keys of the account.
${status}`,
  accounts: `Usage:
  pastpaper accounts list [--json]
  pastpaper accounts show NAME [--json]
  pastpaper accounts plan NAME PLAN [--json]
  pastpaper accounts block NAME [--json]
  pastpaper accounts unblock NAME [--json]
  pastpaper accounts delete NAME [--json]
  pastpaper accounts reset-link EMAIL [--json]

Lists and changes accounts.

  show         shows an account and its keys
  plan         moves an account to another plan, which applies from its next request
  block        rejects the keys and sign-in of an account; unblock allows both again
  delete       deletes an account with its keys, its usage and its user; this cannot be undone
  reset-link   prints a link to set a new password, valid for one hour

pastpaper keys revoke --account NAME permanently revokes all keys of an account.
${status}`,
  backup: `Usage: pastpaper backup FILE [--json]

Copies the SQLite database to a new FILE, also while gateways use it. For PostgreSQL, prints the command to use instead.
docs/operations.md describes how to restore a backup.
${status}`,
  doctor: `Usage: pastpaper doctor [--json]

Checks the settings, the services that the gateway needs, and its ports. Changes nothing.
Run it with the gateway's settings, as the gateway's user.

Exit status: 0 no problems, 1 problems, 2 incorrect usage, or the command could not run.
`,
};

/**
 * What `--help` prints for all commands, in the order of the overview.
 *
 * @type {Readonly<Record<string, string>>}
 */
export const usages = {
  dev: `Usage: pastpaper dev

Builds the content on every save and serves it with everything embedded, until stopped.
Restart it after you change a setting, or plans or signUp in pastpaper.config.json.
${gatewaySettings}`,
  ...buildUsage,
  ...gatewayUsage,
};
