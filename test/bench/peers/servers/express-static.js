/** Express with express-rate-limit, and express.static behind them. */
import express from 'express';
import { rateLimit } from 'express-rate-limit';
import { bearer } from './express-bearer.js';
import { folder, host, limits, port, ready } from './settings.js';

const app = express();
app.use(bearer);
app.use(
  rateLimit({
    windowMs: 1000,
    limit: limits.perSecond,
    standardHeaders: 'draft-8',
    keyGenerator: ({ account }) => account,
  }),
);
app.use((request, response, next) => {
  if (request.acceptsEncodings('gzip')) {
    request.url += '.gz';
    response.set({ 'Content-Encoding': 'gzip', 'Content-Type': 'application/json; charset=utf-8' });
  }
  next();
});
app.use(express.static(folder));
app.listen(port, host, ready);
