/** Compares the files of docs/, docs/faults.md and the Dockerfiles with the program and the tests, without running them. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { access, readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import glob from 'fast-glob';
import { parse } from 'yaml';
import { usages } from '../../build/command-line/usage.js';
import { groupBy } from '../../build/content/groups.ts';
import { endpoints } from '../../build/release/urls.ts';
import { type Config, readConfig } from '../../gateway/config.ts';
import { routes } from '../../gateway/http.ts';
import { sampleQuestions } from '../content/sample-bank.ts';
import { repository } from '../gateway/started-process.ts';

const read = (name: string) => readFile(join(repository, name), 'utf8');
const docs = 'docs/replicas';
const operations = 'docs/operations';

/** Parses NAME=VALUE pairs, as systemd and Docker do. */
function settingsIn(text: string): Record<string, string> {
  return Object.fromEntries(
    text
      .split(/\s+/)
      .filter((word) => /^[A-Z_]+=/.test(word))
      .map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]),
  );
}

/** The settings in the docs. */
const documentedSettings = new Set(
  [...(await read('docs/settings.md')).matchAll(/^\| (`[A-Z_`, ]+`) +\|/gm)].flatMap(
    ([, names = '']) => names.replaceAll('`', '').split(', '),
  ),
);

/** What the operator fills in. */
const secrets: Readonly<Record<string, string>> = Object.fromEntries(
  ['INTROSPECTION_SECRET', 'SESSION_SECRET', 'POSTGRES_PASSWORD'].map((name) => [
    name,
    randomBytes(32).toString('hex'),
  ]),
);

function configOf(settings: Readonly<Record<string, string>>): Config {
  assert.deepEqual(
    Object.keys(settings).filter((name) => !documentedSettings.has(name)),
    [],
    'settings that are not in docs/settings.md',
  );
  return readConfig(settings, () => assert.fail('no file is named'));
}

function assertGateway(config: Config): void {
  assert.ok(config.introspection && config.redis && config.production);
  assert.match(config.introspection.url, /\/auth\/introspect$/);
}

function assertService(config: Config): void {
  assert.equal(config.database.kind, 'postgres');
  assert.ok(config.redis && config.introspectionSecret);
  assert.ok(config.users.publicUrl && config.production);
}

const withoutComments = (text: string) => text.replaceAll(/^\s*#.*$/gm, '');

describe('The systemd units', () => {
  it('have no secret until the operator makes one', async () => {
    const text = await read(`${docs}/bank.env`);
    const lines = text.match(/^.*SECRET=.*$/gm);
    assert.deepEqual(lines, ['INTROSPECTION_SECRET=']);
    assert.match(text, /^# .*openssl rand -base64 32/m);
  });

  const { error } = spawnSync('systemd-analyze', ['--version']);
  it('pass systemd-analyze verify', {
    skip: error && 'there is no systemd-analyze on this machine',
  }, () => {
    const files = [docs, operations]
      .map((folder) => join(repository, folder))
      .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
      .filter((file) => /\.(service|timer)$/.test(file));
    assert.equal(files.length, 6);
    const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', ...files], {
      encoding: 'utf8',
    });
    const own = (stdout + stderr).split('\n').filter((line) => /pastpaper|bank/.test(line));
    assert.deepEqual([status, own], [0, []]);
    // Its scale: up to 2.5 of 10 for those that a person copies.
    const bank = files.filter((file) => /bank.*service$/.test(file));
    const security = ['security', '--offline=true', '--threshold=25', ...bank];
    assert.equal(spawnSync('systemd-analyze', security).status, 0);
  });
});

interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly configs: { readonly upstreams: { readonly content: string } };
  readonly volumes: Readonly<Record<string, unknown>>;
}

interface ComposeService {
  readonly environment?: Readonly<Record<string, string>>;
  readonly command?: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, unknown>>;
}

describe('The compose file', async () => {
  const compose: Compose = parse(await read(`${docs}/compose.yaml`), { merge: true });
  const dockerfile = await read('build/starter/Dockerfile');
  const inImage = settingsIn(/^ENV .*$/m.exec(dockerfile)?.[0] ?? '');
  const gateways = ['gateway-1', 'gateway-2', 'gateway-3'];

  /** The environment of a service, with placeholders for the variables that the operator sets. */
  function environmentOf(name: string): Record<string, string> {
    const environment = { ...inImage, ...compose.services[name]?.environment };
    return Object.fromEntries(
      Object.entries(environment).map(([name, value]) => [
        name,
        value
          .replaceAll(/\$\{[A-Z_]+:-([^}]*)\}/g, '$1')
          .replaceAll(/\$\{([A-Z_]+):\?[^}]*\}/g, (_, name) => secrets[name] ?? ''),
      ]),
    );
  }

  it('gives gateways and service all required settings, and no unknown ones', () => {
    for (const name of gateways) assertGateway(configOf(environmentOf(name)));
    assertService(configOf(environmentOf('auth')));
  });

  it('refers to existing services, volumes and files', async () => {
    for (const { depends_on = {}, volumes = [], command = [] } of Object.values(compose.services)) {
      for (const name of Object.keys(depends_on)) assert.ok(compose.services[name], name);
      for (const volume of volumes) {
        const [source = ''] = volume.split(':');
        if (source.startsWith('.')) await stat(join(repository, docs, source));
        else assert.ok(source in compose.volumes, source);
      }
      if (command[0] === 'node')
        assert.equal(command[1], 'node_modules/pastpaper/build/pastpaper.js');
    }
  });

  it('has the same upstreams as upstreams.conf, except for addresses', async () => {
    const port = inImage['PORT'];
    const [own, machine] = [
      compose.configs.upstreams.content,
      await read(`${docs}/upstreams.conf`),
    ].map((text) => withoutComments(text).replaceAll(/\s+/g, ' ').trim());
    const addresses = [...gateways, ...gateways, 'auth'].map((name) => `server ${name}:${port}`);
    assert.deepEqual(own?.match(/server [\w-]+:\d+/g), addresses);
    const anywhere = (text = '') => text.replaceAll(/server [\w.-]+:\d+/g, 'server ADDRESS');
    assert.equal(anywhere(own), anywhere(machine));
  });
});

it('Units, images and containers run commands that exist', async () => {
  const commands = {
    [`${docs}/bank-gateway@.service`]: 'gateway',
    [`${docs}/bank-auth.service`]: 'auth',
    [`${docs}/compose.yaml`]: 'auth',
    [`${operations}/bank.service`]: 'gateway',
    Dockerfile: 'gateway,build',
  };
  for (const [file, expected] of Object.entries(commands)) {
    const text = await read(file);
    const found = Array.from(
      text.matchAll(/\bbuild\/pastpaper\.js[", ]+(\w+)/g),
      ([, command = '']) => command,
    );
    assert.equal(found.join(), expected, file);
    for (const command of found) assert.ok(command in usages, command);
    assert.doesNotMatch(text, /\btsx\b|\w\.ts\b/);
  }
});

it('README names every endpoint, and docs/operations.md every kind of resource', async () => {
  const readme = await read('README.md');
  for (const { path } of Object.values(endpoints))
    assert.ok(readme.includes(`| \`GET ${path}\` `), path);
  const kinds = routes.map((route) => `\`${route}\``).join(', ');
  assert.ok(
    (await read('docs/operations.md')).includes(`\n\`route\` is the kind of resource: ${kinds}. `),
  );
});

describe('The files for one machine', async () => {
  const dockerfile = await read('build/starter/Dockerfile');
  const inImage = settingsIn(/^ENV .*$/m.exec(dockerfile)?.[0] ?? '');
  const { services, volumes }: Compose = parse(await read(`${operations}/compose.yaml`), {
    merge: true,
  });

  it('have settings that exist, for units and containers', async () => {
    const inContainer = {
      ...inImage,
      ...services['bank']?.environment,
      PUBLIC_URL: 'https://api.example.org',
    };
    for (const settings of [
      settingsIn(withoutComments(await read(`${operations}/bank.env`))),
      inContainer,
    ]) {
      const { production, trustProxy, users, adminPort } = configOf(settings);
      const expected = [true, 1, 'https://api.example.org', 9090];
      assert.deepEqual([production, trustProxy, users.publicUrl, adminPort], expected);
    }
  });

  it('keep data and backups on volumes, in folders that the image creates for its user', () => {
    const folders = /^RUN mkdir .*chown -R node:node \/srv\/pastpaper$/m
      .exec(dockerfile)?.[0]
      .split(' ');
    assert.equal(`${services['bank']?.volumes}`, `data:${inImage['DATA_DIR']}`);
    for (const volume of services['backup']?.volumes ?? []) {
      const [source = '', target = ''] = volume.split(':');
      assert.ok(source in volumes && folders?.includes(target), volume);
    }
  });
});

/** The sources of the COPY instructions that copy from the build context. */
function copiedInto(dockerfile: string): string[] {
  const instructions = dockerfile.matchAll(/^COPY (?!--)(.+) \S+$/gm);
  return [...instructions].flatMap(([, sources = '']) => sources.split(' '));
}

describe('The Dockerfile', async () => {
  const dockerfile = await read('Dockerfile');

  it('copies existing files that .dockerignore allows', async () => {
    const allowed = new Set((await read('.dockerignore')).split('\n').map((line) => line.slice(1)));
    const copied = copiedInto(dockerfile);
    assert.ok(copied.length > 5);
    for (const source of copied) {
      await stat(join(repository, source));
      assert.ok(allowed.has(source) || allowed.has(source.split('/')[0] ?? ''), source);
    }
  });

  it('copies all that the package has, before it packs it', async () => {
    const [context = ''] = dockerfile.split('RUN npm pack');
    const { files } = JSON.parse(await read('package.json'));
    const top = files
      .map((file: string) => file.split('/')[0])
      .filter((name: string) => !name.startsWith('!'));
    for (const name of top)
      assert.ok(name === 'compiled' || copiedInto(context).includes(name), `${name} is not copied`);
  });

  it('has settings that exist', () => {
    const config = configOf(settingsIn(/^ENV .*$/m.exec(dockerfile)?.[0] ?? ''));
    assert.deepEqual([config.host, config.port, config.adminPort], ['0.0.0.0', 8080, 9090]);
  });

  it('has the same settings, health check and command as that of a new bank', async () => {
    const bank = await read('build/starter/Dockerfile');
    const instructions = (text: string) => text.match(/^(?:ENV|HEALTHCHECK|CMD|EXPOSE|USER) .*$/gm);
    assert.deepEqual(
      instructions(bank)?.map((line) => line.replace('node_modules/pastpaper/', '')),
      instructions(dockerfile),
    );
  });
});

it('The package contains every file, heading and path that its pages name', async () => {
  const { files } = JSON.parse(await read('package.json'));
  const globs = files.map((name: string) => (/[*.]/.test(name) ? name : `${name}/**`));
  const packed = await glob(['README.md', 'LICENSE', ...globs], { cwd: repository, dot: true });
  const { stdout: tracked } = spawnSync('git', ['ls-files'], {
    cwd: repository,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  const isIn = (list: readonly string[], path: string) =>
    list.some((file) => `${file}/`.startsWith(`${path}/`));
  const pages = packed.filter((file) => /^(?:docs\/|build\/starter\/)?[\w-]+\.md$/.test(file));
  const missing: string[] = [];
  for (const page of pages) {
    const text = await read(page);
    const markup = text.replaceAll(/^```.*?^```|`[^`\n]*`(?!\])/gms, '');
    for (const [, link = ''] of markup.matchAll(
      /(?:\]\(|(?:src|srcset|href)=")(?!https?:|mailto:)([^)"\s]+)/g,
    )) {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? page : join(dirname(page), path).replace(/\/$/, '');
      const headings =
        isIn(packed, target) && anchor !== undefined ? (await read(target)).match(/^#+ .+$/gm) : [];
      // As GitHub makes them.
      const words = headings?.map((heading) =>
        heading.toLowerCase().replaceAll(/^#+ |[^\p{L}\p{N} _-]/gu, ''),
      );
      const anchors = words?.map((each) => each.replaceAll(' ', '-'));
      if (!isIn(packed, target) || (anchor !== undefined && !anchors?.includes(anchor)))
        missing.push(`${page}: ${link}`);
    }
    for (const [, path = ''] of text.matchAll(
      /(?<![\w./@-])((?:docs|build|gateway|content|test)\/[\w./-]*\w)(?![*(])/g,
    )) {
      // Sources, tests and content are in the repository, and what CONTRIBUTING describes.
      const isOfClone = page === 'CONTRIBUTING.md' || /^(?:test|content)\/|\.ts$/.test(path);
      const places = [path.replace(/\/NAME\.ts$/, ''), `build/starter/${path}`];
      if (
        !isIn(packed, path) &&
        !(isOfClone && places.some((place) => isIn(tracked.split('\n'), place)))
      )
        missing.push(`${page}: ${path}`);
    }
  }
  assert.ok(pages.length > 20);
  assert.deepEqual(missing, []);
});

const faults = await readFile(join(repository, 'docs/faults.md'), 'utf8');
const rows = faults
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .slice(2)
  .map((line) => line.split('|').slice(1, -1));

describe('The table of faults', () => {
  it('names a promise and a test for each of at most 18 faults', async () => {
    assert.ok(rows.length > 0 && rows.length <= 18, `${rows.length} rows`);
    for (const row of rows) {
      assert.equal(row.length, 3, row.join('|'));
      assert.ok(!row.some((cell) => cell.trim() === ''), row.join('|'));
      const named = [...(row[2] ?? '').matchAll(/`(test\/\S+\.test\.ts)`/g)];
      assert.ok(named.length > 0, `${row[0]} names no test`);
      for (const [, file = ''] of named) await access(join(repository, file));
    }
  });

  it('names every file of the suite', async () => {
    const files = (await readdir(join(repository, 'test/long/faults'))).filter((file) =>
      file.endsWith('.test.ts'),
    );
    const missing = files.filter((file) => !faults.includes(`test/long/faults/${file}`));
    assert.deepEqual(missing, []);
  });
});

it('README shows an excerpt of the file that it names', async () => {
  const [, path = '', json = ''] =
    /excerpt of `(content\/\S+\.json)`:\n\n```json\n(.+?)```/s.exec(await read('README.md')) ?? [];
  const [shown, file] = [JSON.parse(json), JSON.parse(await read(path))];
  const isShown = ({ id }: { id: string }) =>
    shown.questions.some((question: { id: string }) => question.id === id);
  assert.deepEqual(shown, { ...file, questions: file.questions.filter(isShown) });
});

it('samples.md lists every shift of the sample bank with its number of questions', async () => {
  const counts = groupBy(await sampleQuestions(), ({ exam, shift }) => `${exam} ${shift}`);
  const rows = [
    ...(await read('docs/samples.md')).matchAll(/^\| `(\w+)\/\d+\/(\S+)` .*?\| (\d+) \|/gm),
  ];
  assert.deepEqual(
    rows.map(([, exam, shift, count]) => `${exam} ${shift} ${count}`).sort(),
    [...counts].map(([shift, { length }]) => `${shift} ${length}`).sort(),
  );
});

it('samples.md has the number of questions of every unit in the complete papers', async () => {
  const columns: Record<string, readonly string[]> = {
    NEET: ['neet 2026-01-01-s1'],
    'JEE Main': ['jeemain 2026-01-01-s1', 'jeemain 2026-04-01-s1'],
    'JEE Advanced': ['jeeadvanced 2026'],
  };
  const complete = Object.values(columns).flat();
  const counted = groupBy(await sampleQuestions(), ({ exam, year, shift, subject, question }) => {
    const paper = complete.find((one) => [`${exam} ${shift}`, `${exam} ${year}`].includes(one));
    return paper ? `${paper} ${subject} ${question.topic}` : 'an extract';
  });
  counted.delete('an extract');
  const stated: string[] = [];
  const [, tables = ''] = (await read('docs/samples.md')).split('## Coverage by unit');
  for (const table of tables.matchAll(/^\| (\w+) \| (.*\n)\|-.*\n((?:\|.*\n)+)/gm)) {
    const [, subject = '', header = '', rows = ''] = table;
    // A column with the real share has none of our papers; the columns after it have those of its exam.
    const papers = [...header.matchAll(/(\w[\w ]*): real/g)].flatMap(([, exam = '']) => [
      undefined,
      ...(columns[exam] ?? []),
    ]);
    for (const row of rows.trim().split('\n')) {
      const [, unit, ...cells] = row.split('|').map((cell) => cell.trim());
      for (const [index, paper] of papers.entries())
        if (paper && Number(cells[index]) > 0)
          stated.push(`${paper} ${subject.toLowerCase()} ${unit}: ${cells[index]}`);
    }
  }
  assert.deepEqual(
    stated.sort(),
    [...counted].map(([unit, { length }]) => `${unit}: ${length}`).sort(),
  );
});
