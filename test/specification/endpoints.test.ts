/** Sections 1 and 4 of the specification: endpoints, path parameters, shift resolution. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { openService, readCatalogue } from './service.ts';

const service = await openService();
const catalogue = await readCatalogue(service);
after(() => service.close());

/** A year with several shifts, which have different shorthands. */
const { exam, year, shifts, subject } = (() => {
  for (const { exam, years } of catalogue) {
    for (const { year, shifts } of years) {
      const subject = shifts[0]?.subjects[0];
      if (shifts.length > 1 && subject !== undefined)
        return { exam, year, subject, shifts: shifts.map(({ shift }) => shift) };
    }
  }
  throw new Error('The bank has no year with several shifts.');
})();
const [first = '', second = ''] = shifts;

async function resolve(shift: string): Promise<string> {
  const response = await service.download(`/${exam}/${year}/${shift}/${subject}.json`);
  assert.equal(response.status, 200, JSON.stringify(response.body));
  return response.body.shift;
}

/** A diagram of the first shift with several. */
async function someDiagram(): Promise<Readonly<Record<'path' | 'mediaType' | 'id', string>>> {
  const { body } = await service.download(`/${exam}/${year}/${first}/${subject}.json`);
  for (const { id, diagrams } of body.questions)
    for (const { file, mediaType } of diagrams)
      return { path: `/${exam}/${year}/${first}/diagrams/${file}`, mediaType, id };
  throw new Error('The paper has no diagram.');
}

function assertJson(headers: Record<string, string>): void {
  assert.match(headers['content-type'] ?? '', /^application\/json(;|$)/);
}

describe('1. What the service does', () => {
  it('The hierarchy is exam, then year, then shift, then subject file.', async () => {
    const { body } = await service.download(`/${exam}/${year}/${first}/${subject}.json`);
    assert.deepEqual(
      [body.exam, body.year, body.shift, body.subject],
      [exam, year, first, subject],
    );
  });
});

describe('4. Endpoints', () => {
  it('1 | GET | / | none | 302 redirect to the API reference', async () => {
    const response = await service.get('/');
    assert.equal(response.status, 302);
    const target = new URL(response.headers['location'] ?? '', service.baseUrl);
    if (target.origin !== new URL(service.baseUrl).origin) return;
    const reference = await service.get(target.pathname);
    assert.equal(reference.status, 200);
    assert.match(reference.headers['content-type'] ?? '', /^text\/html/);
  });

  it('2 | GET | /{exam} | none | exam years resource (2.1)', async () => {
    const response = await service.get(`/${exam}`);
    assert.equal(response.status, 200);
    assertJson(response.headers);
    assert.deepEqual(Object.keys(response.body).slice(0, 4), [
      'exam',
      'label',
      'years',
      'totalYears',
    ]);
  });

  it('3 | GET | /{exam}/{year} | none | year shifts resource (2.2)', async () => {
    const response = await service.get(`/${exam}/${year}`);
    assert.equal(response.status, 200);
    assertJson(response.headers);
    assert.deepEqual(Object.keys(response.body), ['exam', 'year', 'shifts']);
  });

  it('4 | GET | /{exam}/{year}/{shift}/{file} | API key | question file resource (2.3)', async () => {
    const response = await service.download(`/${exam}/${year}/${first}/${subject}.json`);
    assert.equal(response.status, 200);
    assertJson(response.headers);
    assert.equal(response.body.subject, subject);
  });

  it('5 | GET | /{exam}/{year}/{shift}/diagrams/{filename} | API key | diagram file', async () => {
    const { path, mediaType } = await someDiagram();
    const response = await service.download(path);
    assert.equal(response.status, 200);
    const charset = mediaType === 'image/svg+xml' ? '; charset=utf-8' : '';
    assert.equal(response.headers['content-type'], mediaType + charset);
  });
});

describe('4. Path parameters', () => {
  it('exam | string | exam code, such as neet or jeemain (just the exam code, not combined with a year)', async () => {
    assert.equal((await service.get(`/${exam}`)).body.exam, exam);
    assert.equal((await service.get(`/${exam}${year}`)).status, 404);
  });

  it('year | 4-digit integer | year', async () => {
    assert.equal((await service.get(`/${exam}/${year}`)).body.year, year);
    for (const wrong of ['24', '02024', 'year', '20x4', '-202', '2e03', '٢٠٢٤']) {
      const response = await service.get(`/${exam}/${encodeURIComponent(wrong)}`);
      assert.equal(response.status, 400, wrong);
      assert.deepEqual(response.body, { error: 'Invalid year format' });
    }
  });

  it('shift | string | full shift name or a shorthand (see Shift resolution)', async () => {
    assert.equal(await resolve(first), first);
    assert.equal(await resolve('s1'), first);
  });

  it('file | string | subject file name, one of the files in 2.4', async () => {
    const response = await service.download(`/${exam}/${year}/s1/${subject}`);
    assert.equal(response.status, 404);
    assert.deepEqual(response.body, { error: 'File not found' });
  });

  it('filename | string | diagram file name, containing the question id, with an image extension', async () => {
    const { path, id } = await someDiagram();
    assert.ok(path.includes(id));
    assert.match(path, /\.(png|jpe?g|webp|gif|avif|svg)$/);
    const response = await service.download(`${path}.txt`);
    assert.equal(response.status, 404);
  });
});

describe('4. Shift resolution', () => {
  it('s1 | first shift in chronological order', async () =>
    assert.equal(await resolve('s1'), first));

  it('s2 | second shift in chronological order, if it exists', async () => {
    assert.equal(await resolve('s2'), second);
    const beyond = await service.download(`/${exam}/${year}/s${shifts.length + 1}/${subject}.json`);
    assert.equal(beyond.status, 404);
    assert.deepEqual(beyond.body, { error: 'Shift not found' });
  });

  it('full shift name | exactly that shift', async () => {
    for (const shift of shifts) assert.equal(await resolve(shift), shift);
  });

  it('a prefix such as a day-and-month string | first shift whose name starts with that input', async () => {
    for (const shift of shifts) {
      const day = shift.slice(0, 'YYYY-MM-DD'.length);
      const ofDay = shifts.find((name) => name.startsWith(day));
      assert.equal(await resolve(day), ofDay);
      assert.equal(await resolve(shift.slice('YYYY-'.length, 'YYYY-MM-DD'.length)), ofDay);
    }
    assert.equal(await resolve(String(year)), first);
  });

  it('When no shift matches, the response is 404 with the message "Shift not found".', async () => {
    for (const shift of ['s0', 's01', 'S1', '13-45', '99', `${first}x`, '__proto__']) {
      const response = await service.download(`/${exam}/${year}/${shift}/${subject}.json`);
      assert.equal(response.status, 404, shift);
      assert.deepEqual(response.body, { error: 'Shift not found' });
    }
  });
});
