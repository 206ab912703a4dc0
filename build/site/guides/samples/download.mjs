import { mkdir, writeFile } from 'node:fs/promises';
import { get } from './get.mjs';

const year = process.argv[2] ?? 'EXAM/YEAR';

const { shifts } = JSON.parse((await get(`/${year}`)).body);
for (const { shift, subjects } of shifts) {
  await mkdir(`copy/${year}/${shift}`, { recursive: true });
  for (const subject of subjects) {
    const path = `${year}/${shift}/${subject}.json`;
    await writeFile(`copy/${path}`, (await get(`/${path}`)).body);
    console.log(path);
  }
}
