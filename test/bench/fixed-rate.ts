/**
 * Requests a resource at a fixed rate, in a process of its own, which other work of a benchmark does not delay, and prints
 * the latencies as JSON. Arguments: URL, key, requests per second, seconds.
 */
import { atFixedRate, targetOf } from './load.ts';

const [url = '', key = '', rate, seconds] = process.argv.slice(2);
const { latencies } = await atFixedRate(
  targetOf(url, key),
  1000 / Number(rate),
  (_, elapsed) => elapsed > Number(seconds),
);
process.stdout.write(JSON.stringify(latencies));
