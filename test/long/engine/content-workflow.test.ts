import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser';
import { parse } from 'yaml';
import { examPath, paperOf, paperPath, sampleExam, sampleQuestions } from '../../build/bank-folder.ts';
import { assertNoStackTrace, type Outcome, repository } from '../../build/command.ts';
import { commitContent, git } from '../../build/diff/git-folder.ts';

const file = join(repository, 'build/starter/.github/workflows/content.yml');
const text = await readFile(file, 'utf8');

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
}

const steps: readonly Step[] = parse(text).jobs.validate.steps;

/** A content repository as on a GitHub runner: checked out, with the base branch, and with its packages installed. */
async function workspace(): Promise<{ readonly root: string; readonly run: (name: string) => Promise<Outcome> }> {
  const { root, content } = await commitContent({ [examPath]: sampleExam, [paperPath]: paperOf(sampleQuestions.mcq) });
  await git(root, 'update-ref', 'refs/remotes/origin/main', 'HEAD');
  await mkdir(join(root, 'node_modules/.bin'), { recursive: true });
  await symlink(join(repository, 'build/pastpaper.js'), join(root, 'node_modules/.bin/pastpaper'));
  await content.set(paperPath, '/questions/0/answer', 'C');
  await writeFile(join(root, 'summary.md'), '');
  return { root, run: (name) => runStep(root, name) };
}

function runStep(root: string, name: string): Promise<Outcome> {
  const step = steps.find((one) => one.name === name);
  assert.ok(step?.run, name);
  const env = {
    ...process.env,
    GITHUB_WORKSPACE: root,
    GITHUB_BASE_REF: 'main',
    GITHUB_STEP_SUMMARY: join(root, 'summary.md'),
  };
  return new Promise((resolve) => {
    // GitHub runs a step with bash, which exits at the first command that fails.
    execFile('bash', ['-e', '-c', step.run ?? ''], { cwd: root, env }, (error, stdout, stderr) => {
      resolve({ status: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

describe('The GitHub workflow for a content repository', () => {
  it('is a valid workflow', async () => {
    const { context } = parseWorkflow({ name: 'content.yml', content: text }, new NoOperationTraceWriter());
    assert.deepEqual(context.errors.getErrors(), []);
  });

  it('annotates files by their path in the repository, and fails', async () => {
    const { status, stdout } = await (await workspace()).run('Validate and annotate');
    assert.equal(status, 1);
    assert.match(stdout, new RegExp(`^::error file=content/${paperPath},line=18,endLine=18,col=17,endColumn=20,`));
  });

  it('writes the changes to the job summary', async () => {
    const { root, run } = await workspace();
    const outcome = await run('Summarize the changes');
    assert.deepEqual([outcome.status, outcome.stdout], [0, '']);
    const summary = await readFile(join(root, 'summary.md'), 'utf8');
    assert.match(summary, /q1/);
    assertNoStackTrace(outcome);
  });

  it('writes a SARIF report, and succeeds even if the content has errors', async () => {
    const { root, run } = await workspace();
    const outcome = await run('Write the full report');
    assert.equal(outcome.status, 0, outcome.stderr);
    const [{ results }] = JSON.parse(await readFile(join(root, 'validation.sarif'), 'utf8')).runs;
    assert.deepEqual(
      results.map((result: { ruleId: string }) => result.ruleId),
      ['answer-among-options'],
    );
    assert.equal(results[0].locations[0].physicalLocation.artifactLocation.uri, `content/${paperPath}`);
  });
});
