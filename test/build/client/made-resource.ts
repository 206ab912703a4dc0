import { zipSync } from 'fflate';
import type { QuestionFile, YearShifts } from '../../../build/release/resources.ts';
import type { ProxyResponse } from './fault-proxy.ts';

/**
 * Packs and the index of questions, made from the other responses of a service.
 *
 * @param path `/neet/2024/all.zip`, `/neet/2024/s1.zip` with a full name, `/neet/2024/questions.json`
 * @param authorization of the request
 * @returns undefined for any other path
 */
export async function madeResource(
  service: string,
  path: string,
  authorization: string | undefined,
): Promise<ProxyResponse | undefined> {
  const [, year = '', name = ''] =
    /^\/(\w+\/\d{4})\/([\w-]+\.zip|questions\.json)$/.exec(path) ?? [];
  if (year === '') return undefined;
  const isIndex = name === 'questions.json';
  const get = (file: string) =>
    fetch(`${service}/${file}`, {
      headers: isIndex
        ? { Authorization: `Bearer ${indexKey.key}` }
        : { authorization: authorization ?? '' },
    });
  const index = await get(year);
  const metadata = Buffer.from(await index.arrayBuffer());
  if (!index.ok) return { status: index.status, headers: {}, body: metadata };
  const summary: YearShifts = JSON.parse(String(metadata));
  const files: Record<string, Uint8Array> = { [`${year}/index.json`]: metadata };
  const questions: object[] = [];
  for (const { shift, subjects, translations = [] } of summary.shifts) {
    if (!isIndex && name !== 'all.zip' && name !== `${shift}.zip`) continue;
    for (const file of [
      ...subjects.map((subject) => `${subject}.json`),
      ...translations.map((one) => one.file),
    ]) {
      const folder = `${year}/${shift}`;
      const response = await get(`${folder}/${file}`);
      const body = Buffer.from(await response.arrayBuffer());
      if (!response.ok) return { status: response.status, headers: {}, body };
      files[`${folder}/${file}`] = body;
      const paper: QuestionFile = JSON.parse(String(body));
      for (const { id, type, topic, difficulty, options, diagrams } of paper.questions) {
        if (paper.language === undefined)
          questions.push({ id, shift, subject: paper.subject, type, topic, difficulty });
        const drawn = [...diagrams, ...options.flatMap(({ diagram }) => diagram ?? [])];
        for (const one of isIndex ? [] : drawn)
          files[`${folder}/diagrams/${one.file}`] ??= Buffer.from(
            await (await get(`${folder}/diagrams/${one.file}`)).arrayBuffer(),
          );
      }
      for (const { diagrams } of isIndex ? [] : (paper.passages ?? []))
        for (const one of diagrams)
          files[`${folder}/diagrams/${one.file}`] ??= Buffer.from(
            await (await get(`${folder}/diagrams/${one.file}`)).arrayBuffer(),
          );
    }
  }
  if (Object.keys(files).length === 1)
    return { status: 404, headers: {}, body: Buffer.from('{"error":"Shift not found"}') };
  const { exam, year: number } = summary;
  const body = isIndex
    ? Buffer.from(JSON.stringify({ exam, year: number, total: questions.length, questions }))
    : Buffer.from(zipSync(files, { level: 1 }));
  const type = isIndex ? 'application/json' : 'application/zip';
  return { status: 200, headers: { 'content-type': type }, body };
}

/** A key with which the public index of questions is made. */
export const indexKey = { key: '' };
