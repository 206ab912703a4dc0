import { startAuthenticationServer } from '../../gateway/access/authentication-service.ts';

/** An authentication service as a process of its own, to be killed: every key is in use. */
const { url } = await startAuthenticationServer(Number(process.env['PORT']));
process.stdout.write(`answers at ${url}\n`);
