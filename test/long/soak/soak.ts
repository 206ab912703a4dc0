/**
 * `npm run test:long -- soak`: a million requests (REQUESTS in the environment) to one gateway, while releases are swapped, keys are
 * revoked and months end.
 */
import { soak } from './run.ts';
import { growth, headLine, lineOf } from './samples.ts';

const requests = Number(process.env['REQUESTS'] ?? 1_000_000);
/** Requests from one of each to the next. */
const every = { swap: 50_000, key: 2_000, sample: 40_000 };

console.log(`${requests} requests, Node ${process.version}\n\n${headLine}`);
const { samples, statuses } = await soak({
  requests,
  swaps: Math.ceil(requests / every.swap),
  months: 2,
  keys: Math.ceil(requests / every.key),
  samples: Math.ceil(requests / every.sample),
  onSample: (sample) => console.log(lineOf(sample)),
});
const inOrder = [...statuses].sort(([one], [other]) => one - other);
console.log(`
Answers  ${inOrder.map(([status, count]) => `${status}: ${count}`).join(', ')}
Every answer was of one release, every revoked key was refused, and every count is exact.`);
const grown = growth(samples);
console.log(grown.length === 0 ? 'Nothing has grown.' : grown.join('\n'));
if (grown.length > 0) process.exitCode = 1;
