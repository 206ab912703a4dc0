import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import type { SubjectFile } from '../../../build/content/written.ts';
import { parseXml } from '../../../build/exchange/source.ts';
import { formatJson } from '../../../build/fix/json.ts';
import { makeBank, paperOf, paperPath, sampleQuestions, shiftPath } from '../bank-folder.ts';
import { runCommand } from '../command.ts';
import { noDataDir } from '../validate-folder.ts';
import { fileOf, fixture, importFile, place, schoolBank, zipOf } from './imported.ts';

/** Imports a file that becomes a paper without problems. @returns the paper, and what the command printed */
async function imported(file: string) {
  const { dir, status, stdout, stderr, diagnostics } = await importFile(file);
  assert.deepEqual([status, stderr, diagnostics], [0, '', []], stdout);
  const text = await readFile(join(dir, `${place}.json`), 'utf8');
  assert.equal(text, formatJson(text, 'paper'));
  const paper: SubjectFile = JSON.parse(text);
  return { ...paper, stdout, dir };
}

const id = (number: number) => `school-2026-01-20-s1-science-0${number}`;

describe('import', () => {
  it('makes questions of the rows of a CSV file', async () => {
    const { questions, marking, stdout } = await imported(fixture('questions.csv'));
    const [first, second, third, fourth] = questions;
    assert.equal(marking, undefined);
    assert.deepEqual(first, {
      ...{ id: id(1), number: '1', section: 'Part 1', type: 'mcq' },
      question: 'Which of these is a prime number, and even?',
      options: ['1', '2', '4'].map((value, index) => ({ key: 'ABC'[index], value })),
      ...{ answer: 'B', solution: 'Only 2 is both.', topic: 'Numbers', difficulty: 'easy' },
      marking: { correct: 4, incorrect: -1 },
    });
    assert.deepEqual([second?.type, second?.answer], ['msq', 'A,C']);
    assert.deepEqual([third?.answer, third?.tolerance], ['1.41', '0.01']);
    assert.deepEqual([fourth?.type, fourth?.answer], ['text', 'zero']);
    assert.ok(stdout.includes(`${id(2)} "Row 2": columns: remark\n`), stdout);
    assert.ok(
      stdout.includes('4 of 4 questions imported: 1 mcq, 1 msq, 1 numerical, 1 text.\n'),
      stdout,
    );
  });

  it('reads CSV with semicolons, in Windows-1252, and answers that are the text of an option, without empty lines', async () => {
    const csv = 'Question;A;B;Answer\r\n\r\n"Is 5 °C warmer than 41 °F?";Yes;No;No\r\n';
    const { questions, stdout } = await imported(await fileOf('a.csv', Buffer.from(csv, 'latin1')));
    assert.match(stdout, /^1 of 1 question imported/m);
    assert.deepEqual(
      [questions[0]?.question, questions[0]?.answer],
      ['Is 5 °C warmer than 41 °F?', 'B'],
    );
  });

  it('makes questions of Moodle XML, with their images', async () => {
    const { questions, stdout, dir } = await imported(fixture('course.xml'));
    const [lens, colours, index, mirror] = questions;
    const file = `${id(1)}-1.png`;
    assert.deepEqual(lens, {
      ...{ id: id(1), type: 'mcq', topic: 'Optics', difficulty: 'easy', answer: 'A' },
      question: `The **focal length** is $f$, see:\n![](${file})\n\nCO$_2$ & 5 \\* 3 < \\$20`,
      options: ['yes', '2\\*x\\*3', '\\# no'].map((value, at) => ({ key: 'ABC'[at], value })),
      solution: 'By\n$$\\frac{1}{f} = D$$',
      marking: { correct: 4, incorrect: -1 },
      diagrams: [{ file, alt: 'A black dot' }],
    });
    assert.deepEqual(await readdir(join(dir, dirname(place), 'diagrams')), [file]);
    assert.deepEqual(
      [colours?.question, colours?.answer],
      ['Which colours has a **rainbow**?', 'A,B'],
    );
    assert.deepEqual(colours?.marking, { correct: 1, partial: 0.5 });
    assert.deepEqual(
      [index?.question, index?.answer, index?.tolerance],
      ['The index of water?\nTwo digits.', '1.33', '0.01'],
    );
    assert.deepEqual(mirror?.options, [
      { key: 'A', value: 'True' },
      { key: 'B', value: 'False' },
    ]);
    const report = stdout.split('\n');
    const lost = 'feedback; penalties for further tries; shuffled options; tags';
    for (const line of [
      `${id(1)} "Lens": ${lost}`,
      `${id(2)} "Colours": partial fractions`,
      `${id(3)} "Index": feedback`,
      '- "Gaps": not imported: type cloze',
      '     2  feedback',
      '4 of 5 questions imported: 2 mcq, 1 msq, 1 numerical.',
    ])
      assert.ok(report.includes(line), `${line}\n${stdout}`);
  });

  it('makes questions of GIFT', async () => {
    const { questions, stdout } = await imported(fixture('quiz.gift'));
    assert.deepEqual(
      questions.map(({ type, question, answer }) => `${type} ${question} ${answer}`),
      [
        'mcq Which unit is one of length? A',
        'msq Which of these are units of time? A,B',
        'mcq Water boils at 0 °C. B',
        'numerical What is $g$ in SI units: m/s$^2$? 9.81',
        'numerical Name a number from 2 to 3. 2.5',
        'mcq The unit of force is the ____ in the SI. A',
        'text Who named it? Newton',
      ],
    );
    assert.deepEqual(
      [questions[0]?.topic, questions[0]?.solution],
      ['Units', 'A second is one of time.'],
    );
    assert.equal(questions[0]?.options[2]?.value, 'kilogram ~ 1000 g');
    assert.deepEqual([questions[4]?.answer, questions[4]?.tolerance], ['2.5', '0.5']);
    assert.deepEqual(questions[6]?.accepted, ['Newton', 'Isaac Newton']);
    for (const type of ['matching', 'essay', 'description'])
      assert.ok(stdout.includes(`     1  not imported: type ${type}\n`), stdout);
  });

  it('makes a question of a QTI 2 item', async () => {
    const { questions } = await imported(fixture('item2.xml'));
    assert.deepEqual(questions, [
      {
        ...{ id: id(1), type: 'numerical', options: [], answer: '2.5' },
        question: 'Add: $1 + 1.5$\n\nThe sum is ____ exactly.',
        answerRange: { min: '2.4', max: '2.7' },
      },
    ]);
  });

  it('makes questions of a QTI 3 package, in the order of its test', async () => {
    const [item2, item3] = await Promise.all(
      ['item2.xml', 'item3.xml'].map((name) => readFile(fixture(name))),
    );
    const dot = /base64">([^<]+)/.exec(await readFile(fixture('course.xml'), 'utf8'))?.[1] ?? '';
    const reference = (href: string) => `<qti-assessment-item-ref identifier="i" href="${href}"/>`;
    const package3 = zipOf({
      'imsmanifest.xml':
        '<manifest><resource type="imsqti_test_xmlv3p0" href="tests/test.xml"/></manifest>',
      'tests/test.xml': `<qti-assessment-test><qti-assessment-section title="Metals">
        ${reference('../items/b.xml')}</qti-assessment-section><qti-assessment-section title="Sums">
        ${reference('../items/a.xml')}${reference('../../secret.xml')}</qti-assessment-section></qti-assessment-test>`,
      ...{
        'items/a.xml': item2 ?? '',
        'items/b.xml': item3 ?? '',
        'images/dot.png': Buffer.from(dot, 'base64'),
      },
    });
    const { questions, stdout } = await imported(await fileOf('package.zip', package3));
    assert.deepEqual(
      questions.map(({ section }) => section),
      ['Metals', 'Sums'],
    );
    const file = `${id(1)}-1.png`;
    assert.deepEqual(questions[0], {
      ...{ id: id(1), section: 'Metals', type: 'msq', answer: 'A,C', solution: 'Neon is a gas.' },
      question: `Look at ![](${file}) and a table:\n\n| Metal | Symbol |\n| --- | --- |\n| iron | *Fe* |\n\nWhich are metals?`,
      options: ['iron', 'neon', 'zinc'].map((value, at) => ({ key: 'ABC'[at], value })),
      diagrams: [{ file, alt: 'A black dot' }],
    });
    assert.ok(stdout.includes(`${id(1)} "Metals": feedback; shuffled options\n`), stdout);
  });

  const moodle = (text: string) =>
    `<quiz><question type="numerical"><questiontext format="html"><text><![CDATA[${text}]]></text></questiontext>
    <answer fraction="100"><text>1</text></answer></question></quiz>`;
  it('writes a table in a cell, and bold words in bold words, once', async () => {
    const tables = '<table><tr><td>a<table><tr><td>b</td></tr></table></td></tr></table>';
    const bold = '<b>Bold, <b>bold</b> and bold.</b>';
    const { questions } = await imported(await fileOf('a.xml', moodle(bold + tables)));
    assert.equal(questions[0]?.question, '**Bold, bold and bold.**\n\n| a b |\n| --- |');
  });

  it('omits a topic that exam.json does not list', async () => {
    const { stdout, diagnostics } = await importFile(
      fixture('questions.csv'),
      await schoolBank(['Numbers']),
    );
    assert.ok(stdout.includes(`${id(3)} "Row 3": topic: Geometry`), stdout);
    assert.deepEqual(diagnostics, []);
  });

  it('overwrites no file', async () => {
    const bank = await schoolBank();
    await bank.write(`${place}.json`, 'mine');
    const { status, stderr } = await importFile(fixture('questions.csv'), bank);
    assert.equal(status, 2);
    assert.match(
      stderr,
      /science\.json exists and has errors\. Run npx pastpaper validate, or import to another place\.\n/,
    );
    assert.equal(await readFile(join(bank.dir, `${place}.json`), 'utf8'), 'mine');
  });

  it('creates nothing if no question can be imported', async () => {
    const { status, stdout, dir } = await importFile(
      await fileOf('a.gift', 'Explain inertia. {}\n\nPick. {=one ~ ~two}'),
    );
    assert.equal(status, 1);
    assert.match(stdout, /^0 of 2 questions imported\.$/m);
    assert.match(stdout, /not imported: an empty option$/m);
    assert.deepEqual(await readdir(join(dir, 'school')), ['exam.json']);
  });
});

describe('export', () => {
  it('writes Moodle XML to standard output, and says what it lacks', async () => {
    const { dir } = await imported(fixture('questions.csv'));
    const settings = { CONTENT_DIR: dir, DATA_DIR: noDataDir };
    const { status, stdout, stderr } = await runCommand(
      ['export', place, '--format', 'moodle'],
      settings,
    );
    assert.equal(status, 0);
    assert.equal(parseXml(stdout).name, 'quiz');
    assert.match(
      stdout,
      /<answer format="html" fraction="-25"><text>&#60;div&#62;1&#60;\/div&#62;<\/text>/,
    );
    assert.match(stderr, /^Not in the file:\n\S+-01: number; section\n[\s\S]*\n {5}4 {2}number\n/);
  });

  it('writes a passage of another paper', async () => {
    const { dir } = await makeBank({
      [paperPath]: paperOf({ ...sampleQuestions.mcq, passage: 'chemistry/p1' }),
      [`${shiftPath}/chemistry.json`]: {
        ...paperOf({ ...sampleQuestions.mcq, id: 'q2' }),
        passages: [{ id: 'p1', text: 'A train leaves at noon.' }],
      },
    });
    const settings = { CONTENT_DIR: dir, DATA_DIR: noDataDir };
    const { stdout } = await runCommand(
      ['export', `${shiftPath}/physics`, '--format', 'moodle'],
      settings,
    );
    assert.match(stdout, /A train leaves at noon\./);
  });

  it('writes a paper of shift s1 although shift s10 has errors', async () => {
    const { dir } = await makeBank({
      [`${shiftPath}0/physics.json`]: paperOf(sampleQuestions.mcq),
    });
    const settings = { CONTENT_DIR: dir, DATA_DIR: noDataDir };
    const validation = await runCommand(['validate'], settings);
    assert.match(validation.stdout, /-s10\/physics\.json:\d+:\d+ error unique-ids/);
    const paper = `${shiftPath}/physics`;
    assert.equal((await runCommand(['export', paper, '--format', 'moodle'], settings)).status, 0);
  });

  it('rejects a paper with errors, and unknown formats', async () => {
    const bank = await schoolBank();
    await bank.write(`${place}.json`, { questions: [] });
    const run = (...args: string[]) =>
      runCommand(['export', place, ...args], { CONTENT_DIR: bank.dir, DATA_DIR: noDataDir });
    assert.match(
      (await run('--format', 'qti')).stderr,
      /science\.json has errors\. Run npx pastpaper validate\.\n/,
    );
    assert.match(
      (await run('--format', 'pdf')).stderr,
      /^Unknown format "pdf"\. Available formats: qti, qti12, moodle, csv\.\n/,
    );
  });
});
