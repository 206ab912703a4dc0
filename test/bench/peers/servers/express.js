/** Express as in its guide: a route, express-rate-limit, and a response from memory. */
import express from 'express';
import { rateLimit } from 'express-rate-limit';
import { bearer } from './express-bearer.js';
import { host, limits, path, port, readQuestions, ready } from './settings.js';

const { gzip } = readQuestions();
const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Encoding': 'gzip' };

const app = express();
app.get(
  '/:exam/:year/:shift/:file',
  bearer,
  rateLimit({
    windowMs: 1000,
    limit: limits.perSecond,
    standardHeaders: 'draft-8',
    keyGenerator: ({ account }) => account,
  }),
  ({ params: { exam, year, shift, file } }, response) => {
    if (`${exam}/${year}/${shift}/${file}` !== path)
      return response.status(404).json({ error: 'File not found' });
    return response
      .set(headers)
      .set({ 'Cache-Control': 'private, no-cache' })
      .vary('Authorization')
      .send(gzip);
  },
);
app.listen(port, host, ready);
