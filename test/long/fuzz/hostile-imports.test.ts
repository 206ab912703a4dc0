import assert from 'node:assert/strict';
import { readdir, readFile, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { assertNoStackTrace } from '../../build/command.ts';
import { fileOf, fixture, importFile, zipOf } from '../../build/exchange/imported.ts';
import { png } from '../../build/image-bytes.ts';

const item = await readFile(fixture('item2.xml'), 'utf8');
const moodle = (text: string, files = '') =>
  `<quiz><question type="truefalse"><questiontext format="html"><text><![CDATA[${text}]]></text>${files}</questiontext>
  <answer fraction="100"><text>true</text></answer><answer fraction="0"><text>false</text></answer></question></quiz>`;

/** Sets the unpacked size that the directory of an archive says for its first file. */
function withSize(zip: Uint8Array, size: number): Uint8Array {
  const bytes = Buffer.from(zip);
  bytes.writeUInt32LE(size, bytes.indexOf('PK\u0001\u0002', 0, 'latin1') + 24);
  return bytes;
}

const manyFiles = () =>
  zipOf(Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`${index}.xml`, ''])));
const bomb = () => withSize(zipOf({ 'a.xml': item }), 201 * 1024 * 1024);

const repeatedText = () => {
  const stimulus = '<qti-assessment-stimulus-ref href="big.xml"/>'.repeat(100);
  return zipOf({
    'a.xml': `<qti-assessment-item>${stimulus}<qti-response-declaration identifier="R" base-type="float"/><qti-item-body><qti-text-entry-interaction response-identifier="R"/></qti-item-body></qti-assessment-item>`,
    'big.xml': `<qti-assessment-stimulus>${' '.repeat(3 * 2 ** 20)}</qti-assessment-stimulus>`,
  });
};
const largeImage = () => {
  const pixels = png(1, 1).toString('base64').slice(0, -4);
  const padding = Buffer.alloc(2 ** 18).toString('base64');
  return `<file name="a.png" path="/" encoding="base64">${pixels}${padding}</file>`;
};

const rejected: readonly (readonly [
  what: string,
  name: string,
  content: () => string | Uint8Array,
  message: RegExp,
])[] = [
  [
    'an archive that unpacks to more than 200 MB',
    'a.zip',
    bomb,
    /^The archive has more than 10000 files or 200 MB/,
  ],
  [
    'an archive of more than 10,000 files',
    'a.zip',
    manyFiles,
    /^The archive has more than 10000 files/,
  ],
  [
    'entities that a document declares',
    'a.xml',
    () =>
      `<!DOCTYPE quiz [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>${moodle('')}`.replace(
        'true<',
        '&b;<',
      ),
    /^This is not well-formed XML: Invalid character entity in line 2\.\n/,
  ],
  [
    'a chain of 300 files',
    'a.zip',
    () => {
      const refersTo = (index: number) =>
        `<manifest><resource type="imsqti_item" href="${index}.xml"/></manifest>`;
      const files = Array.from({ length: 300 }, (_, index) => [
        `${index}.xml`,
        refersTo(index + 1),
      ]);
      return zipOf(Object.fromEntries(files));
    },
    /^Files refer to others more than 200 deep\.\n/,
  ],
  ['deep XML', 'a.xml', () => '<a>'.repeat(100_000), /^Elements are nested more than 200 deep\.\n/],
  [
    'more than 10,000 rows of CSV',
    'a.csv',
    () => `question,answer\n${'1+1?,2\n'.repeat(300_000)}`,
    /The file has more than 10000 questions\. Split it\./,
  ],
  [
    'CSV with an open quote of 10 MB',
    'a.csv',
    () => `question,answer\n"${'a'.repeat(1e7)}`,
    /^This is not valid CSV/,
  ],
];

/** What is not imported of a file, and why. */
const lost: readonly (readonly [
  what: string,
  name: string,
  content: () => string | Uint8Array,
  why: RegExp,
])[] = [
  [
    'deep HTML',
    'a.xml',
    () => moodle('<b>'.repeat(5000)),
    /not imported: Elements are nested more than 200 deep/,
  ],
  [
    'a text of 3 MB that an item refers to 100 times',
    'a.zip',
    repeatedText,
    /not imported: The file refers to more than 200 MB, repetitions included\. Split it\./,
  ],
  [
    'an image of 256 KB in 1,500 places',
    'a.xml',
    () => moodle('<img src=@@PLUGINFILE@@/a.png>'.repeat(1500), largeImage()),
    /not imported: images of more than 200 MB/,
  ],
  [
    'images in other folders',
    'a.xml',
    () => item.replace('<p>Add', '<p><img src="../../a.png"/>Add'),
    /images: \.\./,
  ],
];

describe('import of hostile files', () => {
  for (const [what, name, content, message] of rejected)
    it(`rejects ${what}`, async () => {
      const outcome = await importFile(await fileOf(name, content()));
      assertNoStackTrace(outcome);
      assert.equal(outcome.status, 2, outcome.stdout);
      assert.match(outcome.stderr, message);
    });

  for (const [what, name, content, why] of lost)
    it(`reports ${what}`, async () => {
      const outcome = await importFile(await fileOf(name, content()));
      assertNoStackTrace(outcome);
      assert.match(outcome.stdout, why);
    });

  it('unpacks no more of a file than the archive says', async () => {
    const zip = withSize(zipOf({ 'a.xml': item + ' '.repeat(1e6) }), item.length);
    const { status, diagnostics } = await importFile(await fileOf('a.zip', zip));
    assert.deepEqual([status, diagnostics], [0, []]);
  });

  it('reads 17 MB of CSV, and creates no paper that is too large', async () => {
    const row = (index: number) =>
      `What is ${index} + ${index}?,${2 * index},"${'Add. '.repeat(3400)}"\n`;
    const rows = Array.from({ length: 1000 }, (_, index) => row(index));
    const outcome = await importFile(
      await fileOf('a.csv', `question,answer,solution\n${rows.join('')}`),
    );
    assert.match(outcome.stdout, /^1,000 of 1,000 questions imported: 1,000 numerical\.$/m);
    assert.equal(outcome.stderr, 'This is more than one paper can have. Split the file.\n');
    assert.deepEqual(await readdir(join(outcome.dir, 'school')), ['exam.json']);
  });

  it('writes only into the folder of the shift, whatever the names in a package', async () => {
    const files = { '../../../../evil.xml': item, '/evil.xml': item, 'a/..\\evil.xml': item };
    const { status, dir } = await importFile(await fileOf('a.zip', zipOf(files)));
    assert.equal(status, 0);
    assert.deepEqual(await readdir(join(dir, 'school'), { recursive: true }), [
      ...['2026', 'exam.json', '2026/2026-01-20-s1', '2026/2026-01-20-s1/science.json'],
    ]);
  });

  it('follows no links beside a file, and no references that leave its folder', async () => {
    const secret = await fileOf('secret.xml', item);
    const test = await fileOf(
      'test.xml',
      '<manifest><resource type="imsqti_item" href="link.xml"/></manifest>',
    );
    await symlink(secret, join(dirname(test), 'link.xml'));
    assert.match((await importFile(test)).stdout, /^0 of 0 questions imported\.$/m);
  });

  it('escapes what controls a terminal', async () => {
    const { stdout } = await importFile(await fileOf('a.gift', '::\u001b[31mred:: Explain. {}'));
    assert.match(stdout, /- "␛\[31mred": not imported/);
  });
});
