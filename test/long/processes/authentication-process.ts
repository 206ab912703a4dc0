import { startAuthenticationServer } from '../../gateway/access/authentication-service.ts';

/** Runs a fake authentication service, which accepts every key, as a process that tests can kill. */
const { url } = await startAuthenticationServer(Number(process.env['PORT']));
process.stdout.write(`answers at ${url}\n`);
