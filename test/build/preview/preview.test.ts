import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { join, relative } from 'node:path';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import { startPreview } from '../../../build/preview/preview.ts';
import { defaultBank } from '../../../build/release/config.ts';
import { UserError } from '../../../build/release/user-error.ts';
import { listenLocally } from '../../free-port.ts';
import { startPastpaper } from '../../gateway/started-process.ts';
import {
  type BankFolder,
  makeBank,
  paperOf,
  paperPath,
  sampleQuestions,
  shiftPath,
  temporaryFolder,
  testNow,
} from '../bank-folder.ts';
import { assertNoStackTrace, runCommand } from '../command.ts';
import { svg } from '../image-bytes.ts';
import { runPreview } from './running-preview.ts';

const { mcq } = sampleQuestions;
const paperPage = '/neet/2024/2024-05-05-s1/physics';

/** Loads a page after each event until its text matches `expected`. */
async function pageMatching(origin: string, path: string, expected: RegExp): Promise<string> {
  const stream = await fetch(`${origin}/-/events`);
  for await (const _version of stream.body ?? []) {
    const text = await (await fetch(origin + path)).text();
    if (expected.test(text)) return text;
  }
  throw new Error('The server ended.');
}

describe('The preview of a bank', () => {
  it('lists exams, years, shifts and papers, newest year first, with their questions', async () => {
    const { dir } = await makeBank({
      'neet/2023/2023-05-07-s10/physics.json': paperOf({ ...mcq, id: 'q2', question: 'One?' }),
      'neet/2023/2023-05-07-s2/physics.json': paperOf({ ...mcq, id: 'q3', question: 'Two?' }),
      [`${shiftPath}/chemistry.json`]: paperOf(
        { ...mcq, id: 'q4', question: 'Three?' },
        { ...mcq, id: 'q5', question: 'Four?' },
      ),
    });
    const { origin } = await runPreview(dir);
    const text = await pageMatching(origin, '/', /5 questions in 5 files: 0 errors, 0 warnings/);
    const order = [
      'NEET',
      '2024',
      '2024-05-05-s1',
      'physics',
      'chemistry',
      '2023',
      '2023-05-07-s2',
    ];
    const places = [...order, '2023-05-07-s10'].map((word) => text.indexOf(`>${word}<`));
    assert.ok(
      places.every((place, index) => place > (places[index - 1] ?? -1)),
      places.join(),
    );
    assert.match(text, /chemistry<\/span> <span class="faint">2<span class="unseen"> questions/);
  });

  it('shows a passage of another paper, in the language of the page', async () => {
    const inHindi = { id: 'q1', question: 'कौन सा?', options: mcq.options };
    const { dir } = await makeBank({
      [paperPath]: paperOf({ ...mcq, passage: 'chemistry/p1' }),
      [`${shiftPath}/physics.hi.json`]: { ...paperOf(mcq), questions: [inHindi] },
      [`${shiftPath}/chemistry.json`]: {
        ...paperOf({ ...mcq, id: 'q2' }),
        passages: [{ id: 'p1', text: 'A train.' }],
      },
      [`${shiftPath}/chemistry.hi.json`]: {
        ...paperOf(mcq),
        passages: [{ id: 'p1', text: 'एक रेल।' }],
        questions: [{ ...inHindi, id: 'q2' }],
      },
    });
    const { origin } = await runPreview(dir);
    await pageMatching(origin, paperPage, /A train\./);
    await pageMatching(origin, `${paperPage}.hi`, /एक रेल।/);
  });

  it('shows where a file does not parse', async () => {
    const folder = await makeBank();
    const text = JSON.stringify(paperOf(mcq), undefined, 2).replace(
      '"type": "mcq",',
      '"type": "mcq"',
    );
    await folder.write(paperPath, text);
    const { origin } = await runPreview(folder.dir);
    await pageMatching(origin, paperPage, /\d+ │ +&#34;question&#34;/);
    await folder.write(paperPath, paperOf(mcq));
    await pageMatching(origin, paperPage, /No problems/);
  });

  it('shows sound questions as they are served, and the source of the others with their problems', async () => {
    const passage = { passage: 'p1', diagrams: [{ file: 'q2.svg', alt: 'A line.' }] };
    const files = {
      [paperPath]: {
        ...paperOf(
          { ...mcq, question: 'Is <b> one?' },
          { ...mcq, ...passage, id: 'q2', question: 'Is it $2$?', answer: 'E' },
          { ...mcq, ...passage, id: 'q3', question: 'Is it $3$?', diagrams: [] },
          { ...mcq, ...passage, id: 'q4', question: 'Is it $4$?' },
          // biome-ignore lint/suspicious/noExplicitAny: a text belongs here.
          { ...mcq, id: 'q5', question: 5 as any },
        ),
        passages: [{ id: 'p1', text: 'A $1$ m rod.', diagrams: 'none' }],
        comment: 'unknown',
      },
      [`${shiftPath}/diagrams/q2.svg`]: 'no image',
    };
    const config = { ...defaultBank, report: 'https://example.org/new?question={id}' };
    const { origin } = await runPreview((await makeBank(files)).dir, { config });
    const page = await pageMatching(origin, paperPage, /answer-among-options/);
    const articles = page.split('<article').slice(1);
    const isWritten = articles.map((article) => article.includes('<pre class="written"'));
    // Questions 2 and 4 have a diagram that is no image.
    assert.deepEqual(isWritten, [false, true, false, true, true]);
    assert.match(articles[0] ?? '', /Is &#60;b&#62; one\?/);
    assert.match(articles[1] ?? '', /&#34;answer&#34;: &#34;E&#34;.*answer-among-options/s);
    assert.match(articles[2] ?? '', /class="katex"/);
    assert.match(articles[2] ?? '', /href="https:\/\/example\.org\/new\?question=q3"/);
    assert.doesNotMatch(articles[1] ?? '', /example\.org/);
    assert.match(articles[3] ?? '', /diagram-image/);
    assert.match(articles[4] ?? '', /Put the number in quotation marks/);
  });

  it('shows a page of any file', async () => {
    const folder = await makeBank();
    const { origin } = await runPreview(folder.dir);
    const odd = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom([], [null], [{}], 1));
    const names = Object.keys({ ...mcq, diagrams: 0, passage: 0, marking: 0 });
    const question = fc.tuple(fc.constantFrom(...names), odd);
    const file = fc.tuple(fc.constantFrom('lastUpdated', 'passages', 'questions', 'x'), odd);
    await fc.assert(
      fc.asyncProperty(question, file, async ([field, value], [name, other]) => {
        const paper = { ...paperOf({ ...mcq, [field]: value }), ...{ [name]: other } };
        await folder.write(paperPath, paper);
        const { status } = await fetch(`${origin}${paperPage}`);
        assert.equal(status, 200, JSON.stringify(paper));
      }),
      { numRuns: 60 },
    );
  });

  it('warns while the content folder is missing, and recovers', async () => {
    const folder = await makeBank();
    const { origin } = await runPreview(folder.dir);
    await pageMatching(origin, '/', /0 errors/);
    await folder.remove('.');
    await pageMatching(origin, '/', /role="alert">The content folder/);
    const again = await makeBank();
    assert.notEqual(again.dir, folder.dir);
    await folder.write(paperPath, paperOf({ ...mcq, answer: 'E' }));
    await pageMatching(origin, paperPage, /answer-among-options/);
    await folder.write(`${shiftPath}/diagrams/q9.svg`, svg(30, 20));
    await pageMatching(origin, '/', /Problems in other files/);
  });
});

describe('The preview of changes', () => {
  const drawn = {
    ...mcq,
    id: 'q2',
    question: 'Drawn?',
    diagrams: [{ file: 'q2.svg', alt: 'A line.' }],
  };

  function makeChanged(): Promise<BankFolder> {
    return makeBank({
      [`${shiftPath}/chemistry.json`]: paperOf(drawn),
      [`${shiftPath}/diagrams/q2.svg`]: svg(30, 20),
      [`${shiftPath}/biology.json`]: paperOf({ ...mcq, id: 'q3', question: 'Unchanged?' }),
    });
  }

  it('lists changed papers, and papers with changed diagrams', async () => {
    const { dir } = await makeChanged();
    const changed = [paperPath, `${shiftPath}/diagrams/q2.svg`];
    const { origin } = await runPreview(dir, { ref: 'main', changedFiles: async () => changed });
    const text = await (await fetch(origin)).text();
    assert.match(text, /<h1>Changed since main<\/h1>/);
    assert.match(text, /href="\/neet\/2024\/2024-05-05-s1\/physics"/);
    assert.match(text, /href="\/neet\/2024\/2024-05-05-s1\/chemistry"/);
    assert.doesNotMatch(text, /biology/);
  });

  it('updates the list of changes on every save', async () => {
    const folder = await makeChanged();
    const changed: string[] = [];
    const { origin } = await runPreview(folder.dir, {
      ref: 'main',
      changedFiles: async () => changed,
    });
    await pageMatching(origin, '/', /0 papers: no problems/);
    changed.push(paperPath);
    await folder.set(paperPath, '/questions/0/answer', 'E');
    await pageMatching(origin, '/', /1 paper: 1 error/);
  });

  it('does not start if the changes are unknown', async () => {
    const { dir } = await makeBank();
    const failing = async () => Promise.reject(new Error('There is no git.'));
    const shown = { ref: 'main', changedFiles: failing } as const;
    await assert.rejects(runPreview(dir, shown), /There is no git/);
  });
});

describe('The preview of a file', async () => {
  const { dir } = await makeBank();

  it('opens the page of the file, by a path from the content folder or the working directory', async () => {
    for (const file of [paperPath, join(dir, paperPath), relative('.', join(dir, paperPath))]) {
      const { url, origin } = await runPreview(dir, { file });
      assert.equal(url, origin + paperPage);
      assert.equal((await fetch(url)).status, 200);
    }
  });

  it('does not start with a file that is no subject file', async () => {
    const none = ['neet/exam.json', shiftPath, `${shiftPath}/none.json`, '../a/b/c.json'];
    for (const file of none)
      await assert.rejects(runPreview(dir, { file }), (error: Error) => {
        assert.ok(error instanceof UserError);
        assert.match(error.message, /is not a subject file in the content folder/);
        return true;
      });
  });
});

describe('The preview listens', async () => {
  const { dir } = await makeBank();
  const start = async (port: number | undefined) => {
    const dataDir = await temporaryFolder();
    const preview = await startPreview({
      ...{ contentDir: dir, dataDir },
      clock: () => testNow,
      port,
    });
    after(() => preview.close());
    return new URL(preview.url).port;
  };

  it('on a free port by default', async () => {
    const ports = [await start(undefined), await start(undefined)];
    assert.equal(new Set(ports).size, 2);
  });

  it('not on a port in use', async () => {
    const server = createServer();
    after(() => server.close());
    const port = await listenLocally(server);
    await assert.rejects(start(port), { message: new RegExp(`Port ${port} is in use`) });
  });
});

describe('pastpaper preview', () => {
  it('prints the page of a paper, serves it, and ends with 0 when it is stopped', async () => {
    const { dir } = await makeBank();
    const settings = { CONTENT_DIR: dir, DATA_DIR: await temporaryFolder() };
    const preview = startPastpaper('preview', settings, [paperPath, '--port', '0']);
    const [, url = ''] = await preview.waitForOutput(/^Preview: (http:\S+)$/m);
    const response = await fetch(url);
    assert.equal(response.status, 200);
    assert.match(await response.text(), /Which of these is a unit of length\?/);
    preview.process.kill('SIGINT');
    const { status, stderr } = await preview.ended;
    assert.deepEqual([status, stderr], [0, '']);
  });

  const misuses: readonly [string, readonly string[], RegExp][] = [
    ['a file outside of the content', ['nowhere.json'], /^nowhere\.json is not a subject file in /],
    ['two files', ['a.json', 'b.json'], /^Unexpected argument "b\.json"\./],
    [
      'a file and a ref',
      ['a.json', '--since', 'HEAD'],
      /^Name a file or use --since, not both\.\n/,
    ],
    [
      'an invalid port',
      ['--port', '70000'],
      /^--port must be a number from 0 to 65535, not "70000"\.\n/,
    ],
  ];
  it('rejects wrong arguments', async () => {
    const { dir } = await makeBank();
    for (const [sentence, args, message] of misuses) {
      const outcome = await runCommand(['preview', ...args], { CONTENT_DIR: dir });
      assert.deepEqual([outcome.status, outcome.stdout], [2, ''], sentence);
      assert.match(outcome.stderr, message);
      assertNoStackTrace(outcome);
    }
  });
});
