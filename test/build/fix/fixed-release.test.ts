import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeHTMLStrict } from 'entities/decode';
import fc from 'fast-check';
import type { ExamFile, Image, SubjectFile } from '../../../build/content/types.ts';
import { fixedText } from '../../../build/fix/fix.ts';
import { type CompiledBank, compileBank } from '../compiled-bank.ts';
import { messyBank } from './messy-bank.ts';

const place = { exam: 'neet', year: '2024', shift: '2024-05-05-s1' };
const image: Image = { mediaType: 'image/png', width: 3, height: 2, sha256: 'ab'.repeat(32) };

/** Compiles a bank of one valid exam file and one valid paper. */
function release({ exam, paper }: Readonly<Record<'exam' | 'paper', object>>): CompiledBank {
  const content = paper as SubjectFile;
  const path = `neet/2024/${place.shift}/physics.json`;
  const files = content.questions.flatMap(({ diagrams = [] }) => diagrams.map(({ file }) => file));
  return compileBank({
    exams: [{ path: 'neet/exam.json', code: 'neet', content: exam as ExamFile }],
    papers: [{ ...place, subject: 'physics', path, content, questions: [] }],
    diagrams: files.map((file) => ({
      ...place,
      path: `neet/2024/${place.shift}/diagrams/${file}`,
      file,
      image,
    })),
  });
}

/** Parses the files, which may start with a byte order mark. */
function read(files: Readonly<Record<'exam' | 'paper', Uint8Array>>): Record<'exam' | 'paper', object> {
  const value = (bytes: Uint8Array) => JSON.parse(new TextDecoder().decode(bytes));
  return { exam: value(files.exam), paper: value(files.paper) };
}

function fixed(kind: 'exam' | 'paper', bytes: Uint8Array): Uint8Array {
  return Buffer.from(fixedText(kind, bytes) ?? bytes);
}

const repairedTexts = ['label', 'question', 'topic', 'value', 'alt'];

/** Removes what a repair may change from a release: encoding of texts, order of options, and their checksums. */
function unchanged(value: unknown, name = ''): unknown {
  if (typeof value === 'string')
    return repairedTexts.includes(name) ? decodeHTMLStrict(value.normalize('NFC')).normalize('NFC') : value;
  if (value instanceof Map) return [...value];
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value)) {
    // The checksum of a diagram is over its bytes.
    const kept = Object.entries(value).filter(([inner]) => inner !== 'checksum' || 'mediaType' in value);
    return Object.fromEntries(kept.map(([inner, held]) => [inner, unchanged(held, inner)]));
  }
  const items = value.map((item) => unchanged(item));
  return name === 'options' ? items.sort((a, b) => ((a as Keyed).key < (b as Keyed).key ? -1 : 1)) : items;
}

interface Keyed {
  readonly key: string;
}

describe('The release of repaired content', () => {
  it('differs from the release before only in the repaired texts, the order of options and their checksums', () => {
    fc.assert(
      fc.property(fc.gen(), (draw) => {
        const { files } = messyBank(draw);
        const after = { exam: fixed('exam', files.exam), paper: fixed('paper', files.paper) };
        assert.deepEqual(unchanged(release(read(after))), unchanged(release(read(files))));
      }),
      { numRuns: 300 },
    );
  });

  it('equals the release of the intended content, with the same checksums', () => {
    fc.assert(
      fc.property(fc.gen(), (draw) => {
        const { files, intended } = messyBank(draw);
        const after = { exam: fixed('exam', files.exam), paper: fixed('paper', files.paper) };
        assert.deepEqual(release(read(after)), release(intended));
      }),
      { numRuns: 300 },
    );
  });

  it('is compiled from files that equal the repaired intended files, byte for byte', () => {
    fc.assert(
      fc.property(fc.gen(), (draw) => {
        const { files, intended } = messyBank(draw);
        for (const kind of ['exam', 'paper'] as const) {
          const intendedBytes = Buffer.from(JSON.stringify(intended[kind]));
          assert.equal(fixed(kind, files[kind]).toString(), fixed(kind, intendedBytes).toString());
        }
      }),
      { numRuns: 300 },
    );
  });
});
