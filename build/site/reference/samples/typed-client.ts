import type { Example } from '../../example.ts';
import { sampleOrigin } from '../../sample-origin.ts';

/** The shifts of a year by openapi-fetch, with types that openapi-typescript makes of the description. */
export function typedClientSample({ year }: Example): string {
  const [exam, calendarYear] = year.split('/');
  return `// npx openapi-typescript ${sampleOrigin}/docs/openapi.json -o pastpaper.d.ts
import createClient from 'openapi-fetch';
import type { paths } from './pastpaper';

const client = createClient<paths>({ baseUrl: '${sampleOrigin}' });
const { data, error } = await client.GET('/{exam}/{year}', {
  params: { path: { exam: '${exam}', year: ${calendarYear} } },
});
if (error) throw new Error(error.error);
for (const { shift, subjects, total } of data.shifts) console.log(shift, subjects, total);`;
}
