/** Writes the types for clients beside this file, from the description of the current release: `npm run client-types`. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { currentLink } from '../release/manifest.ts';
import { clientTypes } from './client-types.ts';

const distDir = process.env['DIST_DIR'] || 'dist';
const description = await readFile(join(distDir, currentLink, 'public/docs/openapi.json'), 'utf8');
await writeFile(new URL('types.d.ts', import.meta.url), await clientTypes(JSON.parse(description)));
