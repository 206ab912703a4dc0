import { Bank } from '../client/client.ts';
import { PastpaperError } from '../client/errors.ts';
import { type Command, readArguments } from '../command-line/command.ts';
import { UserError } from '../release/user-error.ts';

/** `pastpaper mcp`: offers a bank to a language model over standard input and output, until the input ends. */
export const mcpCommand: Command = async (args, _folders, { stderr, env }) => {
  const { positionals } = readArguments(args, {}, '[ADDRESS|FOLDER]');
  const source = positionals[0] ?? `http://127.0.0.1:${env['PORT'] || 8080}`;
  let bank: Bank;
  try {
    bank = await Bank.open(source, { key: env['API_KEY'] });
  } catch (error) {
    throw error instanceof PastpaperError ? new UserError(error.message) : error;
  }
  const [{ mcpServer }, { StdioServerTransport }] = await Promise.all([
    import('../client/mcp.ts'),
    import('@modelcontextprotocol/sdk/server/stdio.js'),
  ]);
  const server = mcpServer(bank);
  const closed = new Promise<void>((resolve) => {
    server.server.onclose = resolve;
    process.stdin.once('end', () => void server.close());
  });
  await server.connect(new StdioServerTransport());
  stderr.write(`The bank ${source} is offered over MCP.\n`);
  await closed;
  return 0;
};
