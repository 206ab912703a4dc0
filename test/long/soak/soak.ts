/**
 * `npm run test:long -- soak`: sends a million requests (REQUESTS in the environment) to one gateway, while releases change,
 * keys are revoked and months end.
 */
import { soak } from './run.ts';
import { growth, headerLine, lineOf } from './samples.ts';

const requests = Number(process.env['REQUESTS'] ?? 1_000_000);
/** The number of requests between two of each. */
const every = { swap: 50_000, key: 2_000, sample: 40_000 };

console.log(`${requests} requests, Node ${process.version}\n\n${headerLine}`);
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
Responses  ${inOrder.map(([status, count]) => `${status}: ${count}`).join(', ')}
Every response came from one release, every revoked key was rejected, and every count is exact.`);
const grown = growth(samples);
console.log(grown.length === 0 ? 'Nothing has grown.' : grown.join('\n'));
if (grown.length > 0) process.exitCode = 1;
