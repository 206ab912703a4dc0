/**
 * Measures `npm run validate` on a valid bank with all rules, compared with ajv-cli, which validates the same files only
 * against their schema; and the share of KaTeX in a first run.
 */
import { join } from 'node:path';
import { openCache } from '../../build/run/cache.ts';
import { bytesOf, conditions, median, seconds } from './figures.ts';
import { writeLargeBank } from './generated.ts';
import { peerFile, runBench, runNode } from './processes.ts';

const rounds = 7;
const questions = Number(process.argv[2] ?? 100_000);

await runBench(async (folder) => {
  const ajv = await peerFile('ajv-cli/dist/index.js');
  const formats = await peerFile('ajv-formats');
  const [bank, data] = [join(folder, 'bank'), join(folder, 'data')];
  const size = await writeLargeBank(bank, questions);
  console.log(
    `${size.questions} questions in ${size.files} files, ${bytesOf(size.bytes)}, ${conditions()}`,
  );
  const validate = () =>
    runNode(['build/pastpaper.js', 'validate'], { CONTENT_DIR: bank, DATA_DIR: data });
  const schema = ['-c', formats, '-s', 'content/schema/subject-file.schema.json'];
  const files = join(bank, 'jeemain/*/*/*.json');
  const validateSchemaOnly = () =>
    runNode([ajv, 'validate', '--spec=draft2020', '--strict=false', ...schema, '-d', files]);
  /** Removes cached results of files, but not the valid formulas, whose share is measured separately. */
  const clearResults = async () => {
    const cache = await openCache(data);
    await cache.save({ exams: [], shifts: [] });
  };

  const first = (await validate()).seconds;
  const times = { 'ajv-cli': [] as number[], uncached: [] as number[], cached: [] as number[] };
  for (let round = 1; round <= rounds; round += 1) {
    times['ajv-cli'].push((await validateSchemaOnly()).seconds);
    await clearResults();
    times.uncached.push((await validate()).seconds);
    times.cached.push((await validate()).seconds);
    const last = Object.entries(times).map(([name, all]) => `${name} ${seconds(all.at(-1))}`);
    console.log(`round ${round} of ${rounds}: ${last.join(', ')}`);
  }
  const peer = median(times['ajv-cli']);
  const [uncached, cached] = [median(times.uncached), median(times.cached)];
  console.log(`
ajv-cli, schema only                    median ${seconds(peer)}
validate, all rules, cached results     median ${seconds(cached)}, ${(cached / peer).toFixed(2)} of ajv-cli
validate, all rules, no cached results  median ${seconds(uncached)}, ${(uncached / peer).toFixed(2)} of ajv-cli
validate, first run                     ${seconds(first)}, of which KaTeX takes ${seconds(first - uncached)}`);
});
