import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { main } from '../build/cli.ts';
import { checkConfig } from '../build/config.ts';
import { readBank } from '../build/release/config.ts';
import { readConfig } from '../gateway/config.ts';
import { startGateway } from '../gateway/start.ts';
import {
  BankFolder,
  type FileContent,
  type Files,
  makeBank,
  makeFolderOf,
  paperOf,
  sampleQuestions,
  temporaryFolder,
} from './build/bank-folder.ts';
import { svg } from './build/image-bytes.ts';
import { filesBelow, publishedFolder, responsesOf } from './build/release-folder.ts';
import { listenLocally } from './free-port.ts';
import { openMailbox } from './gateway/accounts/users/mailbox.ts';
import { FakeSystem } from './gateway/fake-system.ts';
import { startPastpaper } from './gateway/started-process.ts';
import { runInProcess } from './in-process.ts';

const content: Files = {
  'content/upsc/exam.json': { label: 'Civil Services', subjects: ['history'] },
  'content/upsc/2022/2022-06-05-s1/history.json': paperOf({ ...sampleQuestions.mcq, id: 'h1' }),
};

const config = {
  name: 'Quill & Co',
  tagline: 'Papers of the civil services examination.',
  logo: 'quill.svg',
  contact: 'help@quill.example',
  terms: 'https://quill.example/terms',
  privacy: 'https://quill.example/privacy',
  publicUrl: 'https://api.quill.example',
  plans: { reader: { perSecond: 7, perMonth: 4321 }, school: { perSecond: 70, perMonth: 98_765 } },
  samples: ['upsc/2022/2022-06-05-s1/history'],
  favicon: 'nib.svg',
  accent: { light: '#8a1c5c', dark: '#f29ac8' },
};

/** Words of the sample bank, and the name of the software. */
const ours =
  /\bpastpaper\b|\bneet\b|\bjee|physics|chemistry|biology|mathematics|1,000 per month|2 requests per second/i;

describe('A configured bank', async () => {
  const { dir } = await makeFolderOf({
    ...{
      ...content,
      'quill.svg': svg(32, 32),
      'nib.svg': svg(16, 16),
      'pastpaper.config.json': config,
    },
  });
  const mailbox = await openMailbox();
  const started = startPastpaper('dev', { PORT: '0', SMTP_URL: mailbox.url }, [], dir);
  after(async () => {
    started.process.kill();
    await started.ended;
    await mailbox.close();
  });
  const [message, origin = ''] = await started.waitForOutput(/^.+ at (http\S+?)\/\n/m);
  const release = join(dir, 'dist/current');
  const uncompressed = [...(await filesBelow(release))].filter(
    ([file]) => !/\.(br|gz)$/.test(file),
  );
  const served = await responsesOf(join(dir, 'dist'));
  const files = new Map(
    [...uncompressed, ...served].map(([file, bytes]) => [file, bytes.toString()] as const),
  );
  const page = (path: string) => files.get(`public/${path}/index.html`) ?? assert.fail(path);

  it('shows no word of this repository in its release but the powered-by line of pages and the names of clients', () => {
    assert.ok(files.size > 30);
    for (const [file, text] of files) {
      if (/\/(?:pull|client|render)\.mjs$|client\.d\.mts$|pastpaper\.py$/.test(file)) continue;
      const others = text.replace('<span>Powered by Pastpaper</span>', '');
      assert.equal(others === text, !text.startsWith('<!doctype html>'), file);
      // The names of the clients are the same at every service.
      const clients = /pastpaper(?=\.py|-(?:question|answer|check)\b| (?:<span[^>]*>)?import)/g;
      const [found] = ours.exec(others.replaceAll(clients, '')) ?? [];
      assert.equal(
        found,
        undefined,
        `${file}: ${found && others.slice(others.indexOf(found) - 80).slice(0, 160)}`,
      );
    }
  });

  it('shows its name, logo, links and plans on the pages', () => {
    for (const [file, text] of files) {
      if (!file.endsWith('index.html')) continue;
      for (const shown of [
        'Quill &#38; Co</title>',
        '/docs/logo.svg?v=',
        '<link rel="icon" href="/docs/favicon.svg?v=',
        'mailto:help@quill.example',
        ...Object.values(config).slice(4, 6),
      ])
        assert.ok(text.includes(String(shown)), `${file}: ${shown}`);
    }
    assert.ok(page('docs').includes('Papers of the civil services examination.'));
    for (const path of ['docs', 'docs/reference'])
      assert.ok(
        page(path).includes('The reader plan allows 7 requests per second and 4,321 per month.'),
        path,
      );
    assert.ok(page('dashboard/sign-up').includes('the reader plan.'));
    assert.match(
      page('docs/guides/limits'),
      /<strong>school<\/strong>: 70 requests per second, 98,765 per calendar month/,
    );
  });

  it('shows on its first page what it has, and a question of its sample with its JSON', () => {
    assert.match(
      page('docs'),
      /<dt>Questions<\/dt><dd>1<\/dd>.*<a href="\/docs\/catalogue\/upsc\/"><bdi>Civil Services</s,
    );
    assert.match(page('docs'), /<article class="question".*Which of these is a unit of length\?/s);
    const [, code = ''] = /<figure>.*?<pre.*?<code>(.*?)<\/code>/s.exec(page('docs')) ?? [];
    assert.deepEqual(
      [JSON.parse(code.replaceAll(/<[^>]*>/g, '').replaceAll('&quot;', '"'))],
      JSON.parse(files.get('upsc/2022/2022-06-05-s1/history.json') ?? '').questions,
    );
  });

  it('names the address of each page to search engines and in social cards', () => {
    const address = 'https://api.quill.example/docs/guides/key/';
    assert.ok(page('docs/guides/key').includes(`<link rel="canonical" href="${address}">`));
    assert.ok(page('docs/guides/key').includes(`<meta property="og:url" content="${address}">`));
    assert.ok(files.get('public/docs/sitemap.xml')?.includes(`<loc>${address}</loc>`));
    assert.match(files.get('public/robots.txt') ?? '', /^Sitemap: .*\/docs\/sitemap\.xml$/m);
  });

  it('names its public URL in code samples', () => {
    for (const [file, text] of files) assert.ok(!text.includes('127.0.0.1:8080'), file);
    assert.ok(page('docs').includes('https://api.quill.example/upsc/2022/s1/history.json'));
    assert.ok(page('docs/guides/copy').includes('https://api.quill.example'));
    assert.match(page('docs/reference'), /curl https:\/\/api\.quill\.example\/upsc</);
    assert.match(
      files.get('public/docs/openapi.json') ?? '',
      /"curl https:\/\/api\.quill\.example\/upsc"/,
    );
  });

  it('names itself in mails and in the message at the start, and limits accounts by its plans', async () => {
    assert.match(message, /^Quill & Co serves release \w+ at /);
    assert.doesNotMatch(started.output.stdout.replaceAll('npx pastpaper ', ''), ours);
    const response = await fetch(`${origin}/auth/sign-up/email`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: 'somebody@example.org', password: 'a long enough phrase' }),
    });
    assert.equal(response.status, 200);
    const { text, subject } = await mailbox.next('somebody@example.org');
    assert.ok(text.includes('your Quill & Co account'));
    assert.doesNotMatch(`${subject}\n${text}`, ours);
  });
});

/** The problems of a configuration, as every command prints them. */
const problemsOf = async ({ dir }: BankFolder) => (await checkConfig(join(dir, configFile))) ?? '';

const configFile = 'pastpaper.config.json';

describe('The configuration', () => {
  it('is reported with every problem, its line and the fix, before a command runs', async () => {
    const { dir } = await makeFolderOf({
      [configFile]: {
        nane: 'Quill',
        contact: 'somewhere',
        publicUrl: 'https://api.quill.example/',
        plans: { reader: { perSecond: 0 } },
        signUp: 'Closed',
      },
    });
    const { status, stderr } = await startPastpaper('keys', {}, ['list'], dir).ended;
    assert.equal(status, 2);
    for (const expected of [
      'pastpaper.config.json:2:3 error schema',
      'Unknown property "nane".',
      'Did you mean "name"?',
      '"somewhere" has the wrong format. An email address or a URL',
      'pastpaper.config.json:7:',
      'The property "perMonth" is missing.',
      'Did you mean "closed"?',
    ])
      assert.ok(stderr.includes(expected), `${expected}\n${stderr}`);
  });

  it('has a logo in its folder that fulfils the rules on diagrams', async () => {
    const script = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script/></svg>';
    const outside = /outside the folder of pastpaper\.config\.json\. Copy it/;
    const logos: readonly (readonly [place: string, image: FileContent, problem: RegExp])[] = [
      ['quill.svg', script, /quill\.svg:1:62 error logo\n.*script/],
      ['quill.svg', svg(9000, 9), /json:3:11 error logo\n {2}.* too large: 9000 by 9 pixels\./],
      ['outer/quill.svg', svg(9, 9), outside],
      ['images/quill.svg', svg(9, 9), /^$/],
    ];
    for (const [place, image, problem] of logos) {
      const outer = await makeFolderOf({ 'bank/notes.txt': '' });
      const bank = new BankFolder(join(outer.dir, 'bank'));
      await symlink(outer.dir, join(bank.dir, 'outer'));
      const logo = join(bank.dir, place);
      await bank.write(configFile, { name: 'Quill', logo });
      assert.match(await problemsOf(bank), /json:3:11 error logo\n {2}.* \(ENOENT\)\./);
      await bank.write(place, image);
      assert.match(await problemsOf(bank), problem, place);
    }
  });

  it('is a JSON file that fulfils the rules on those of the content', async () => {
    const files: readonly (readonly [file: FileContent, problem: RegExp])[] = [
      ['\ufeff{"name": "Quill"}', /json:1:1 error byte-order-mark/],
      ['{"name": "Quill",}', /json:1:17 error syntax/],
      [Buffer.alloc(17 * 2 ** 20, ' '), /error readable-file\n {2}The file is too large: 17 MB/],
    ];
    for (const [file, problem] of files)
      assert.match(await problemsOf(await makeFolderOf({ [configFile]: file })), problem);
  });

  it('has colors with a contrast of at least 4.5 to 1 in both themes', async () => {
    for (const [light, dark, problem] of [
      ['#0a5cc2', '#7fb8ff', undefined],
      [
        '#ffcc00',
        '#7fb8ff',
        /json:4:14 error accent\n {2}#ffcc00 has a contrast of 1\.3 to 1 in the light theme\. Use a darker/,
      ],
      [
        '#0a5cc2',
        '#0a5cc2',
        /json:5:13 error accent\n {2}#0a5cc2 has a contrast of 2\.3 to 1 in the dark theme\. Use a lighter/,
      ],
    ] as const) {
      const bank = await makeFolderOf({ [configFile]: { name: 'Quill', accent: { light, dark } } });
      assert.match(await problemsOf(bank), problem ?? /^$/);
    }
  });

  it('can close the sign-up', async () => {
    const closed = { name: 'Quill', signUp: 'closed', contact: 'https://quill.example/contact' };
    const { dir } = await makeFolderOf({ ...content, 'pastpaper.config.json': closed });
    const bank = readBank(join(dir, 'pastpaper.config.json'));
    const DIST_DIR = await temporaryFolder();
    await publishedFolder(join(dir, 'content'), DIST_DIR, undefined, bank);
    const env = { PORT: '0', DATA_DIR: join(dir, '.data'), DIST_DIR };
    const settings = readConfig(env, () => assert.fail(), bank);
    const { origin, stop } = await startGateway(settings, () => {}, { system: new FakeSystem() });
    const sent = await fetch(`${origin}/auth/sign-up/email`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: 'somebody@example.org', password: 'a long enough phrase' }),
    });
    assert.equal(sent.status, 403);
    assert.deepEqual(await sent.json(), {
      error: 'Sign-up is closed. Ask the operator for a key.',
    });
    assert.equal((await fetch(`${origin}/dashboard/sign-up/`)).status, 404);
    for (const path of ['/docs/', '/docs/reference/', '/docs/guides/key/', '/dashboard/sign-in/'])
      assert.ok(!(await (await fetch(origin + path)).text()).includes('/dashboard/sign-up/'), path);
    await stop();
  });
});

describe('PUBLIC_URL', () => {
  it('is the address in what build publishes, and verify expects', async () => {
    const [{ dir }, dist] = [await makeBank(), await temporaryFolder()];
    const env = { CONTENT_DIR: dir, DIST_DIR: dist, DATA_DIR: await temporaryFolder() };
    const run = (command: string, PUBLIC_URL: string) =>
      runInProcess(main, [command], { ...env, PUBLIC_URL });
    const address = 'https://papers.example.org';
    assert.equal((await run('build', `${address}/`)).status, 0);
    const files = await filesBelow(join(dist, 'current/public/docs'));
    const { servers } = JSON.parse(`${files.get('openapi.json')}`);
    assert.equal(servers[0].url, address);
    const { status, stderr } = await run('verify', address);
    assert.equal(status, 0, stderr);
    for (const command of ['build', 'dev', 'verify', 'preview']) {
      const { status, stderr } = await run(command, 'papers.example.org');
      assert.equal(status, 2);
      assert.match(stderr, /^PUBLIC_URL is "papers\.example\.org", but must be only .+\n$/);
    }
  });
});

it('pastpaper dev ends with one sentence if the port is in use', async () => {
  const server = createServer();
  after(() => server.close());
  const port = await listenLocally(server);
  const { dir } = await makeFolderOf({ ...content });
  const { status, stdout, stderr } = await startPastpaper('dev', { PORT: `${port}` }, [], dir)
    .ended;
  assert.equal(status, 2);
  assert.doesNotMatch(stdout, /Building on every save/);
  assert.match(
    stderr,
    new RegExp(`^Port ${port} on 127\\.0\\.0\\.1 is in use: [^\\n.]+ set PORT=\\d+\\.\\n$`),
  );
});
