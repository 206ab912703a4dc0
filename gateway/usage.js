// @ts-check
const operatorStatus = `
Exit status: 0 fine, 1 the request cannot be met, 2 the command was used wrongly or could not run.
`;
const settings = `
Settings are environment variables; the README lists them.
`;

/**
 * What `--help` prints for the commands of the gateway, by name.
 *
 * @type {Readonly<Record<string, string>>}
 */
export const gatewayUsage = {
  gateway: `Usage: npm run gateway

Serves the current release.
${settings}`,
  auth: `Usage: npm run auth

Starts the authentication service by itself, for gateways elsewhere.
${settings}`,
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
  doctor: `Usage: npm run doctor [-- --json]

Checks settings, release, data folder, database, authentication service and ports, and changes nothing.
Run it with the gateway's settings, as the gateway's user.

Exit status: 0 fine, 1 there are problems, 2 the command was used wrongly or could not run.
`,
};
