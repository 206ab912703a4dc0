import assert from 'node:assert/strict';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser';
import { parse } from 'yaml';
import {
  examPath,
  paperOf,
  paperPath,
  sampleExam,
  sampleQuestions,
} from '../../build/bank-folder.ts';
import { commitContent, git } from '../../build/diff/git-folder.ts';
import { filesBelow, makeSigningKey } from '../../build/release-folder.ts';
import { type CommandResult, repository, startCommand } from '../../gateway/started-process.ts';
import { startS3 } from '../../store/s3-server.ts';

const starter = join(repository, 'build/starter');
const text = await readFile(join(starter, '.github/workflows/content.yml'), 'utf8');

type Job = { readonly steps: readonly Readonly<Partial<Record<'name' | 'if' | 'run', string>>>[] };
const { validate, publish }: Record<string, Job> = parse(text).jobs;
const steps = [...(validate?.steps ?? []), ...(publish?.steps ?? [])];
const step = (name: string) => steps.find((one) => one.name === name) ?? assert.fail(name);

/** A content repository as on a GitHub runner: checked out, with the base branch, and with its packages installed. */
async function workspace(answer = 'A') {
  const { root, content } = await commitContent({
    [examPath]: sampleExam,
    [paperPath]: paperOf(sampleQuestions.mcq),
  });
  await git(root, 'update-ref', 'refs/remotes/origin/main', 'HEAD');
  const bin = join(root, 'node_modules/.bin');
  await mkdir(bin, { recursive: true });
  await symlink(join(repository, 'build/pastpaper.js'), join(bin, 'pastpaper'));
  // Programs of a runner, which print how they are called.
  for (const name of ['gh', 'docker'])
    await writeFile(join(bin, name), '#!/bin/sh\necho "$(basename "$0") $*"\n', { mode: 0o755 });
  await content.set(paperPath, '/questions/0/answer', answer);
  const files = {
    GITHUB_STEP_SUMMARY: join(root, 'summary.md'),
    GITHUB_ENV: join(root, 'environment'),
  };
  const folders = {
    PATH: `${bin}:${process.env['PATH']}`,
    GITHUB_WORKSPACE: root,
    RUNNER_TEMP: root,
  };
  const env = { ...folders, ...files, GITHUB_BASE_REF: 'main' };
  /** As GitHub runs a step: with bash, which exits at the first command that fails. */
  const bash = (script: string, settings = {}) =>
    startCommand('bash', ['-e', '-c', script], { ...env, ...settings }, root).ended;
  return {
    root,
    bash,
    run: (name: string, settings = {}) => bash(step(name).run ?? '', settings),
    read: (file: string) => readFile(join(root, file), 'utf8'),
  };
}

function assertSucceeded({ status, stdout, stderr }: CommandResult): string {
  assert.equal(status, 0, stdout + stderr);
  return stdout;
}

describe('The GitHub workflow for a content repository', () => {
  it('is a valid workflow', async () => {
    const { context } = parseWorkflow(
      { name: 'content.yml', content: text },
      new NoOperationTraceWriter(),
    );
    assert.deepEqual(context.errors.getErrors(), []);
  });

  it('annotates files by their path in the repository, and fails', async () => {
    const { status, stdout } = await (await workspace('C')).run('Validate and annotate');
    assert.equal(status, 1);
    assert.match(
      stdout,
      new RegExp(`^::error file=content/${paperPath},line=18,endLine=18,col=17,endColumn=20,`),
    );
  });

  it('writes the changes to the job summary, and comments with them and the counts, but not from a fork', async () => {
    const { run, read } = await workspace('C');
    assert.equal(assertSucceeded(await run('Summarize the changes')), '');
    assert.match(await read('summary.md'), /"C" is not the key of an option/);
    const printed = assertSucceeded(await run('Comment', { NUMBER: '7' }));
    assert.equal(printed, 'gh pr comment 7 --edit-last --create-if-none --body-file comment.md\n');
    assert.match(
      await read('comment.md'),
      /^1 question in 2 files: 1 error, 0 warnings\.\n\n## Content since .*"C" is not the key of an option/s,
    );
    assert.match(step('Comment').if ?? '', /head\.repo\.full_name == github\.repository/);
  });

  it('writes a SARIF report even if the content has errors, and uploads it only where GitHub accepts it', async () => {
    const { run, read } = await workspace('C');
    assertSucceeded(await run('Write the full report'));
    const [{ results }] = JSON.parse(await read('validation.sarif')).runs;
    assert.deepEqual(
      results.map((result: { ruleId: string }) => result.ruleId),
      ['answer-among-options'],
    );
    assert.equal(
      results[0].locations[0].physicalLocation.artifactLocation.uri,
      `content/${paperPath}`,
    );
    assert.match(
      step('Upload it to code scanning').if ?? '',
      /\(!github\.event\.repository\.private \|\| vars\.CODE_SC/,
    );
  });

  it('builds a signed release, and publishes it to a store, as an image and with rsync, each behind a variable', async () => {
    const { root, run, read } = await workspace();
    const KEY = await readFile((await makeSigningKey()).privateFile, 'utf8');
    assertSucceeded(await run('Write the signing key', { KEY }));
    const SIGNING_KEY = (await read('environment')).trim().replace('SIGNING_KEY=', '');
    assert.match(assertSucceeded(await run('Build', { SIGNING_KEY })), /^Published release /);
    const s3 = await startS3();
    const store = { ...s3.env, SIGNING_KEY, RELEASE_STORE: `${s3.bucket}/bank` };
    const pushed = await run('Publish to an object store', store);
    await s3.close();
    assert.match(assertSucceeded(pushed), /is current in the store\. Uploaded/);
    const registry = { IMAGE: 'ghcr.io/owner/bank', REGISTRY_USER: 'owner', GITHUB_SHA: 'abc' };
    assert.deepEqual(assertSucceeded(await run('Publish an image', registry)).split('\n'), [
      'docker login ghcr.io --username owner --password-stdin',
      'docker build --tag ghcr.io/owner/bank:latest --tag ghcr.io/owner/bank:abc .',
      'docker push --all-tags ghcr.io/owner/bank',
      '',
    ]);
    const target = join(root, 'target');
    await mkdir(target);
    assertSucceeded(await run('Publish with rsync', { RSYNC_TARGET: target }));
    assert.deepEqual(await filesBelow(target), await filesBelow(join(root, 'dist')));
    const variables = ['RELEASE_STORE', 'IMAGE', 'RSYNC_TARGET'].map(
      (name) => `vars.${name} != ''`,
    );
    assert.deepEqual(
      publish?.steps.flatMap((step) => step.if ?? []),
      variables,
    );
  });
});

it('The pre-commit hook of a new bank validates the content', async () => {
  const { repos } = parse(await readFile(join(starter, '.pre-commit-config.yaml'), 'utf8'));
  const [{ entry, files }] = repos[0].hooks;
  assert.match(`content/${paperPath}`, new RegExp(files));
  assert.match(assertSucceeded(await (await workspace()).bash(entry)), / 0 errors/);
  assert.equal((await (await workspace('C')).bash(entry)).status, 1);
});
