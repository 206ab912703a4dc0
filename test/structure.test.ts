/** The structure of `build/` and `gateway/`: what may import what, and the two walks that CONTRIBUTING describes. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { dirname, join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { usages } from '../build/command-line/usage.js';
import { repository } from './gateway/started-process.ts';

const files = ['build', 'gateway'].flatMap((folder) =>
  readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|js)$/.test(file) && !file.endsWith('.d.ts'))
    .map((file) => join(folder, file)),
);

/** `import ... from`, `export ... from`, `import '...'` and `import('...')`, of types too. */
const imports = /(?:from|import)\s*\(?\s*'(\.[^']+)'/g;

/** The files that each file imports, relative to the repository. */
const graph = new Map(
  files.map((file) => {
    const text = readFileSync(join(repository, file), 'utf8');
    const targets = Array.from(text.matchAll(imports), ([, path = '']) =>
      join(dirname(file), path),
    );
    return [file, new Set(targets.filter((target) => files.includes(target)))];
  }),
);

/** A cycle in a graph, if there is one. */
function cycleIn(edges: ReadonlyMap<string, ReadonlySet<string>>): string | undefined {
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (node: string): string | undefined => {
    const start = path.indexOf(node);
    if (start >= 0) return [...path.slice(start), node].join(' -> ');
    if (done.has(node)) return undefined;
    path.push(node);
    for (const next of edges.get(node) ?? []) {
      const cycle = visit(next);
      if (cycle) return cycle;
    }
    path.pop();
    done.add(node);
    return undefined;
  };
  for (const node of edges.keys()) {
    const cycle = visit(node);
    if (cycle) return cycle;
  }
  return undefined;
}

/** The imports between the entries of a folder: its files, and its folders with all files below. */
function importsBetweenEntries(folder: string): Map<string, Set<string>> {
  const entryOf = (file: string) => {
    const path = relative(folder, file);
    return path.startsWith('..') ? undefined : path.split('/')[0];
  };
  const edges = new Map<string, Set<string>>();
  for (const [file, targets] of graph) {
    const entry = entryOf(file);
    if (entry === undefined) continue;
    const between = edges.get(entry) ?? new Set();
    for (const target of targets) {
      const other = entryOf(target);
      if (other !== undefined && other !== entry) between.add(other);
    }
    edges.set(entry, between);
  }
  return edges;
}

describe('Imports', () => {
  it('of better-auth wait for the first request that needs it: a gateway at rest would have 8 MB more', () => {
    for (const [file, text] of files.map((one) => [
      one,
      readFileSync(join(repository, one), 'utf8'),
    ]))
      assert.doesNotMatch(text ?? '', /^import (?!type)[^;]*better-auth\.ts'/m, file);
  });

  it('have no cycle between the entries of any folder', () => {
    const folders = new Set(['.', ...files.map((file) => dirname(file)).flatMap(withParents)]);
    for (const folder of folders) {
      assert.equal(cycleIn(importsBetweenEntries(folder)), undefined);
    }
  });

  it('of the gateway from the build are only from build/release, build/store and build/command-line, which import nothing else', () => {
    const isShared = (file: string) => /^build\/(release|store|command-line)\//.test(file);
    const forbidden = [...graph].flatMap(([file, targets]) =>
      [...targets]
        .filter((target) =>
          file.startsWith('build/')
            ? target.startsWith('gateway/') || (isShared(file) && !isShared(target))
            : target.startsWith('build/') && !isShared(target),
        )
        .map((target) => `${file} -> ${target}`),
    );
    assert.deepEqual(forbidden, []);
  });
});

/** A folder and all folders around it. */
function withParents(folder: string): string[] {
  return folder === '.' ? [] : [folder, ...withParents(dirname(folder))];
}

/** Runs an action. @returns our files of which it called a function */
async function filesCalledBy(action: () => Promise<unknown>): Promise<string[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  // Resets the counts.
  await session.post('Profiler.takePreciseCoverage');
  await action();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  session.disconnect();
  const root = pathToFileURL(`${repository}/`).href;
  const called = result.filter(({ functions }) =>
    functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0),
  );
  return called
    .map(({ url }) => url.replace(root, '').replace(/\?.*$/, ''))
    .filter((file) => /^(build|gateway)\//.test(file) && existsSync(join(repository, file)))
    .sort();
}

/** The files that CONTRIBUTING lists in one of its walks, in order. */
function walkOf(heading: string): string[] {
  const text = readFileSync(join(repository, 'CONTRIBUTING.md'), 'utf8');
  const section = text.split(/^#+ /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  return Array.from(section.matchAll(/^\d+\. `([^`]+)`/gm), ([, file = '']) => file);
}

/**
 * How many bytes of text folders may contain: every tracked text file counts, so that folding lines
 * wins nothing. Raising one takes a sentence in docs/decisions.md that says who needs it.
 */
const budgets = [
  { folders: ['build', 'gateway'], bytes: 1_890_000 },
  { folders: ['gateway'], bytes: 338_000 },
  { folders: ['test'], bytes: 1_940_000 },
] as const;

/** Written by `npm run format` from the JSON Schemas; `npm run lint` checks that they are current. */
const generated = [
  'build/content/written.ts',
  'build/release/resources.ts',
  'build/client/client.d.mts',
];

/** The tracked files of folders that contain text that people write, without those that the working tree deleted. */
function textFilesOf(...folders: readonly string[]): string[] {
  const listed = execFileSync('git', ['ls-files', ...folders], {
    cwd: repository,
    encoding: 'utf8',
  });
  const isBinary = /\.(ico|png|jpe?g|webp|gif|avif|woff2?|pdf|zip|docx|xlsx)$/;
  return listed
    .split('\n')
    .filter((file) => file !== '' && !isBinary.test(file) && !generated.includes(file))
    .filter((file) => existsSync(join(repository, file)));
}

describe('Text', () => {
  for (const { folders, bytes } of budgets) {
    it(`of ${folders.join(' and ')} has at most ${bytes} bytes`, () => {
      const sizes = textFilesOf(...folders).map((file) => statSync(join(repository, file)).size);
      const total = sizes.reduce((sum, size) => sum + size, 0);
      assert.ok(total <= bytes, `${total} bytes`);
    });
  }
});

describe('The docs', () => {
  it('have at most 28,000 words, as `wc -w` counts them', () => {
    const pages = readdirSync(join(repository, 'docs'))
      .filter((name) => name.endsWith('.md'))
      .map((name) => join('docs', name));
    const all = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', ...pages];
    const words = all.map(
      (page) => readFileSync(join(repository, page), 'utf8').match(/\S+/g) ?? [],
    );
    const total = words.reduce((sum, { length }) => sum + length, 0);
    assert.ok(total <= 28_000, `${total} words`);
  });
});

describe('Settings', () => {
  it('of the gateway and the service are at most 32', () => {
    const [own = ''] = readFileSync(join(repository, 'docs/settings.md'), 'utf8').split(
      'The build and the commands',
    );
    const names = Array.from(own.matchAll(/^\| (`[A-Z_`, ]+`) +\|/gm), ([, row = '']) =>
      row.split(','),
    ).flat();
    assert.ok(names.length > 20 && names.length <= 32, `${names.length} settings`);
  });
});

describe('A field of a question', () => {
  it('is named in at most 5 files, and in the guides', () => {
    const naming = textFilesOf('build', 'gateway').filter((file) =>
      /\btolerance\b/.test(readFileSync(join(repository, file), 'utf8')),
    );
    const product = naming.filter((file) => !file.startsWith('build/site/guides/'));
    assert.ok(product.length <= 5, product.join(', '));
  });
});

describe('Lines of build and gateway', () => {
  it('have at most 140 characters', () => {
    const code = textFilesOf('build', 'gateway').filter((file) => /\.(ts|js|mjs|css)$/.test(file));
    const isLong = (file: string) =>
      /^.{141,}$/m.test(readFileSync(join(repository, file), 'utf8'));
    assert.deepEqual(code.filter(isLong), []);
  });
});

/** The most files of a walk through the gateway. */
const longestWalk = 12;

/** Compares a walk with the files that an action crosses, once everything is loaded. */
async function assertWalk(heading: string, action: () => Promise<unknown>): Promise<void> {
  await action();
  const walk = walkOf(heading);
  assert.deepEqual(await filesCalledBy(action), [...walk].sort());
  assert.ok(walk.length <= longestWalk, `${walk.length} files`);
}

describe('CONTRIBUTING', () => {
  it('lists the files that a protected request and a sign-in cross, at most 12 each', async (t) => {
    const { runGateway } = await import('./gateway/running-gateway.ts');
    const { newUser, Visitor } = await import('./gateway/accounts/users/visitor.ts');
    // Nothing happens in the background, however long a trace takes.
    const { setInterval } = globalThis;
    const never = () => setInterval(() => {}, 2 ** 30).unref();
    for (const name of ['setTimeout', 'setInterval'] as const)
      t.mock.method(globalThis, name, never);
    const running = await runGateway({}, 'embedded');
    const keys = [await running.createKey('reader'), await running.createKey('reader')];
    await assertWalk('A request', async () => {
      const headers = {
        Authorization: `Bearer ${keys.pop()?.key}`,
        'Accept-Encoding': 'gzip',
      };
      const response = await fetch(`${running.baseUrl}/neet/2024/s1/physics.json`, { headers });
      await response.text();
      assert.equal(response.status, 200);
    });
    const user = newUser();
    await new Visitor(running.authUrl).signUp(user);
    await assertWalk('A sign-in', async () => {
      assert.equal((await new Visitor(running.authUrl).signIn(user)).status, 200);
    });
    await running.close();
  });

  it('lists the files that a question file crosses from disk to release, at most 12', async () => {
    const { shiftProcessor } = await import('../build/run/worker.ts');
    const { findContent } = await import('../build/content/file.ts');
    const { makeBank, temporaryFolder } = await import('./build/bank-folder.ts');
    const { dir } = await makeBank();
    const destination = { distDir: await temporaryFolder(), scratch: await temporaryFolder() };
    const process = async () => {
      const { shifts } = await findContent(dir);
      const processShifts = shiftProcessor({
        contentDir: dir,
        now: new Date(Date.UTC(2026, 1, 1)),
        validFormulas: new Set(),
        destination,
      });
      const results = await processShifts(shifts.map((folder) => ({ folder, cached: undefined })));
      const files = results.flatMap((result) =>
        result.isCached ? [] : Object.keys(result.published?.files ?? {}),
      );
      assert.deepEqual(files, ['physics.json']);
    };
    await process();
    const called = await filesCalledBy(process);
    const walk = walkOf('A question file');
    assert.deepEqual(called, [...walk].sort());
    assert.ok(walk.length <= 12, `${walk.length} files`);
  });
});

describe('A printed next step', () => {
  const commands = Object.keys(usages).join('|');
  const bare = new RegExp(`(?<!npx )\\bpastpaper (?:(?:${commands})\\b|COMMAND --)`);
  /** Synopses, descriptions, comments, and names in running text. */
  const noStep =
    /^\s*(?:\/?\*|\/\/)|^Usage: |^ {2}pastpaper |"?description"?: |that pastpaper init wrote|is pastpaper preview still running|replace\('pastpaper pull'|from pastpaper import Bank/;

  it('begins with npx, which finds pastpaper in a bank and in a clone', () => {
    const texts = ['build', 'gateway'].flatMap((folder) =>
      readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.(ts|js|json|txt)$/.test(file))
        .map((file) => join(folder, file)),
    );
    const found = texts.flatMap((file) =>
      readFileSync(join(repository, file), 'utf8')
        .split('\n')
        .filter((line) => bare.test(line) && !noStep.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
    assert.deepEqual(found, []);
  });
});
