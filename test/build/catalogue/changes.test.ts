import assert from 'node:assert/strict';
import { readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openLastRelease } from '../../../build/publish/last-release.ts';
import type { ShiftSummary, YearShifts } from '../../../build/release/resources.ts';
import { type Changes, changesSince } from '../../../build/site/catalogue/changes.ts';
import { type Feed, itemsWith } from '../../../build/site/catalogue/feed.ts';
import { releasedBank } from '../../../build/site/catalogue/released-bank.ts';
import { type BankFolder, makeBank, paperOf, paperPath, sampleQuestions } from '../bank-folder.ts';
import { distWithRelease, filesBelow, publishedFolder } from '../release-folder.ts';
import { tableIn, textOf } from './page-tables.ts';

const { mcq, msq, numerical } = sampleQuestions;

function shift(
  name: string,
  checksum = '000000000000',
  total = 10,
  lastUpdated = '2024-06-01',
): ShiftSummary {
  return { shift: name, subjects: ['physics'], total, lastUpdated, checksum };
}

function year(exam: string, number: number, ...shifts: ShiftSummary[]): YearShifts {
  return { exam, year: number, shifts };
}

function released(...years: YearShifts[]) {
  return { years, changes: undefined };
}

describe('The list of changes', () => {
  const may = shift('2024-05-05-s1');
  const june = shift('2024-06-23-s1');

  it('contains added, changed and removed shifts, and the old and new size of the bank', () => {
    const { shift: _, ...mayBefore } = may;
    const mayAfter = { ...mayBefore, total: 12, checksum: '111111111111' };
    const { shift: __, ...juneState } = june;
    const changes = changesSince(released(year('neet', 2024, may, june)), [
      year('neet', 2024, { shift: may.shift, ...mayAfter }),
      year('neet', 2025, shift('2025-05-04-s1')),
    ]);
    assert.deepEqual(changes, {
      format: 1,
      before: { shifts: 2, questions: 20 },
      after: { shifts: 2, questions: 22 },
      shifts: [
        {
          exam: 'neet',
          year: 2024,
          shift: '2024-05-05-s1',
          change: 'changed',
          before: mayBefore,
          after: mayAfter,
        },
        { exam: 'neet', year: 2024, shift: '2024-06-23-s1', change: 'removed', before: juneState },
        { exam: 'neet', year: 2025, shift: '2025-05-04-s1', change: 'added', after: juneState },
      ],
    });
  });

  it('is sorted by exam and time', () => {
    const changes = changesSince(released(year('neet', 2023, shift('2023-05-07-s1'))), [
      year('neet', 2024, shift('2024-05-05-s10'), shift('2024-05-05-s2')),
      year('jeemain', 2023, shift('2023-01-24-s1')),
      year('jeemain', 2024, shift('2024-01-27-s1')),
    ]);
    assert.deepEqual(
      changes?.shifts.map(({ exam, shift }) => `${exam} ${shift}`),
      [
        'jeemain 2023-01-24-s1',
        'jeemain 2024-01-27-s1',
        'neet 2023-05-07-s1',
        'neet 2024-05-05-s2',
        'neet 2024-05-05-s10',
      ],
    );
  });

  it('contains a shift of which only the date changed', () => {
    const redated = year('neet', 2024, { ...may, lastUpdated: '2024-07-01' });
    const changes = changesSince(released(year('neet', 2024, may)), [redated]);
    assert.equal(changes?.shifts[0]?.change, 'changed');
  });
});

describe('Changes since the last release, in a build', () => {
  interface Built {
    readonly folder: string;
    readonly changes: Changes | undefined;
    readonly page: string;
    readonly feed: Feed;
  }

  async function buildOf(bank: BankFolder, dist: string): Promise<Built> {
    return read(await publishedFolder(bank.dir, dist));
  }

  async function read(folder: string): Promise<Built> {
    const files = await filesBelow(join(folder, 'public', 'docs', 'catalogue'));
    const changes = files.get('changes.json')?.toString();
    return {
      folder,
      changes: changes === undefined ? undefined : JSON.parse(changes),
      page: files.get('index.html')?.toString() ?? assert.fail(),
      feed: JSON.parse(files.get('feed.json')?.toString() ?? assert.fail()),
    };
  }

  async function afterFirst(): Promise<{ readonly bank: BankFolder; readonly dist: string }> {
    return { bank: await makeBank(), dist: await distWithRelease() };
  }

  const other = 'neet/2023/2023-05-07-s1/chemistry.json';

  it('are absent without an earlier release', async () => {
    const { changes, page, feed } = await read(
      await realpath(join(await distWithRelease(), 'current')),
    );
    assert.equal(changes, undefined);
    assert.deepEqual(feed.items, []);
    assert.ok(page.includes('There is no earlier release to compare with.'));
  });

  it('are listed on the page and as JSON', async () => {
    const { bank, dist } = await afterFirst();
    await bank.write(other, paperOf({ ...numerical, id: 'n1' }));
    await buildOf(bank, dist);
    await bank.remove('neet/2023');
    await bank.write(paperPath, paperOf(mcq, { ...msq, id: 'q2' }));
    await bank.write('neet/2024/2024-06-23-s1/physics.json', paperOf({ ...mcq, id: 'q3' }));
    const { changes, page } = await buildOf(bank, dist);
    assert.deepEqual(
      changes?.shifts.map(({ shift, change }) => [shift, change]),
      [
        ['2023-05-07-s1', 'removed'],
        ['2024-05-05-s1', 'changed'],
        ['2024-06-23-s1', 'added'],
      ],
    );
    assert.match(
      textOf(page),
      /Shifts: 1 added, 1 changed, 1 removed\. The bank had 2 questions in 2 shifts, and has 3 in 2\./,
    );
    const rows = tableIn(page, 'Changed shifts, table').slice(1);
    assert.deepEqual(
      rows.map((row) => [...row.slice(0, 4), row.at(-1)]),
      [
        ['2023-05-07-s1', 'NEET', 'removed', 'was 2024-06-01', 'was 1'],
        ['2024-05-05-s1', 'NEET', 'changed', '2024-06-01', '2, was 1'],
        ['2024-06-23-s1', 'NEET', 'added', '2024-06-01', '1'],
      ],
    );
    const [removed, changed, added] = rows.map((row) => row[4] ?? '');
    assert.match(changed ?? '', /^[0-9a-f]{12}, was [0-9a-f]{12}$/);
    assert.match(added ?? '', /^[0-9a-f]{12}$/);
    assert.match(removed ?? '', /^was [0-9a-f]{12}$/);
  });

  it('do not change when the same content is built again', async () => {
    const { bank, dist } = await afterFirst();
    const folder = await realpath(join(dist, 'current'));
    assert.equal((await buildOf(bank, dist)).folder, folder);
    await bank.write(other, paperOf({ ...numerical, id: 'n1' }));
    const second = await buildOf(bank, dist);
    assert.ok(second.changes);
    assert.deepEqual(await buildOf(bank, dist), second);
    assert.equal((await readdir(join(dist, 'releases'))).length, 2);
  });

  it('are in a feed, newest first, dated by the newest paper, each with an id of its own', async () => {
    const { bank, dist } = await afterFirst();
    const more = await makeBank({
      [other]: { ...paperOf({ ...numerical, id: 'n1' }), lastUpdated: '2025-02-03T04:05:06Z' },
    });
    await buildOf(more, dist);
    await buildOf(bank, dist);
    const { version, items } = (await buildOf(more, dist)).feed;
    assert.equal(version, 'https://jsonfeed.org/version/1.1');
    const item = (change: string, date: string) => [
      `Shifts: 1 ${change}`,
      `<ul><li>NEET 2023-05-07-s1: ${change}, 1 question</li></ul>`,
      date,
    ];
    const added = item('added', '2025-02-03T04:05:06.000Z');
    assert.deepEqual(
      items.map(({ title, content_html, date_published }) => [title, content_html, date_published]),
      [added, item('removed', '2024-06-01T10:00:00.000Z'), added],
    );
    assert.equal(new Set(items.map(({ id }) => id)).size, 3);
  });

  it('are absent if a file to compare with is damaged or missing', async () => {
    const damages = ['manifest.json', 'public/neet/2024/index.json'].map(
      (path) => async (folder: string) => {
        const file = join(folder, path);
        await writeFile(file, (await readFile(file, 'utf8')).replace('2024', '2042'));
      },
    );
    const remove = (folder: string) => rm(join(folder, 'public', 'neet'), { recursive: true });
    for (const damage of [...damages, remove]) {
      const dist = await distWithRelease();
      const last = openLastRelease(dist) ?? assert.fail();
      assert.equal((await releasedBank(last))?.years.length, 1);
      await damage(last.folder);
      const damaged = openLastRelease(dist);
      assert.equal(damaged && (await releasedBank(damaged)), undefined);
    }
  });

  it('need only the manifest and the public files of the last release', async () => {
    const last = openLastRelease(await distWithRelease()) ?? assert.fail();
    await rm(join(last.folder, 'protected'), { recursive: true });
    assert.equal((await releasedBank(last))?.years.length, 1);
  });
});

describe('The feed of changes', () => {
  const years = (...numbers: number[]) =>
    numbers.map((number) =>
      year(
        'neet',
        number,
        ...Array.from({ length: 30 }, (_, day) =>
          shift(`${number}-05-${String(day + 1).padStart(2, '0')}-s1`),
        ),
      ),
    );
  const changes = changesSince(released(), years(2023, 2024)) ?? assert.fail();

  it('counts changes by year if there are too many to list', () => {
    const [item] = itemsWith([], changes, []);
    assert.equal(item?.title, 'Shifts: 60 added');
    assert.equal(
      item.content_html,
      '<ul><li>neet 2023: 30 added</li><li>neet 2024: 30 added</li></ul>',
    );
  });

  it('keeps the newest 50 items', () => {
    const items = Array.from({ length: 60 }).reduce<ReturnType<typeof itemsWith>>(
      (last) => itemsWith(last, changes, []),
      [],
    );
    assert.equal(items.length, 50);
    assert.equal(itemsWith(items, changes, [])[1], items[0]);
  });
});
