/** The service that verifies keys for nginx. */
import { createServer } from 'node:http';
import { host, key, port, ready } from './settings.js';

const accepted = new Set([`Bearer ${key}`]);

createServer(({ headers }, response) => {
  response.writeHead(accepted.has(headers.authorization) ? 204 : 401);
  response.end();
}).listen(port, host, ready);
