import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { decodeHTML } from 'entities';
import { type CommandResult, startCommand } from '../../gateway/started-process.ts';

/** A code sample of a page. */
export interface Sample {
  /** The path of the HTML file in the public tree. */
  readonly page: string;
  readonly language: string;
  readonly code: string;
  /** For a program to save: its file name, and the command that runs it. */
  readonly program?: { readonly file: string; readonly command: string };
}

/** The code of all pages of a public tree: samples with a language, and other code blocks. */
export async function codeOf(publicTree: string): Promise<{ samples: Sample[]; others: string[] }> {
  const pages = (await readdir(publicTree, { recursive: true }))
    .filter((file) => file.endsWith('.html'))
    .sort();
  const samples: Sample[] = [];
  const others: string[] = [];
  for (const page of pages) {
    const markup = await readFile(join(publicTree, page), 'utf8');
    // The attributes of a sample come before its code, without other code between; the command to run it follows.
    for (const [, file, language, code = '', command = ''] of markup.matchAll(
      /(?:(?:data-file="([^"]+)" )?data-sample="(\w+)">(?:(?!<pre)[\s\S])*)?<pre[^>]*><code>([\s\S]*?)<\/code><\/pre>(?:\s*<p class="run">.*<code data-command>([^<]+)<\/code>)?/g,
    )) {
      if (language === undefined) others.push(text(code));
      else
        samples.push({
          page,
          language,
          code: text(code),
          ...(file && { program: { file, command: text(command) } }),
        });
    }
  }
  return { samples, others };
}

/** The text of highlighted code. */
function text(markup: string): string {
  return decodeHTML(markup.replace(/<[^>]*>/g, ''));
}

/** The command that runs pasted code of a language. */
const commands: Readonly<Record<string, (code: string) => readonly string[]>> = {
  curl: (code) => ['sh', '-c', code],
  javascript: (code) => [process.execPath, '--input-type=module', '-e', code],
  python: (code) => ['python3', '-c', code],
};

/** Runs a sample in a folder. @returns its standard output */
export async function runSample(
  language: string,
  code: string,
  folder: string,
  settings: Readonly<Record<string, string>>,
): Promise<string> {
  const [command = '', ...args] =
    commands[language]?.(code) ?? assert.fail(`no way to run ${language}`);
  const { status, stdout, stderr } = await startCommand(command, args, settings, folder).ended;
  assert.equal(status, 0, stderr);
  return stdout;
}

/** Runs a shell command in a folder, with the version of Node that runs the tests. */
export function runCommand(
  command: string,
  folder: string,
  settings: Readonly<Record<string, string>>,
): Promise<CommandResult> {
  const PATH = `${dirname(process.execPath)}${delimiter}${process.env['PATH']}`;
  return startCommand('sh', ['-c', command], { ...settings, PATH }, folder).ended;
}

/** Why samples of a language are skipped; in CI a missing command is a failure. */
export async function skipReason(language: string): Promise<string | false> {
  const command = { curl: 'curl', python: 'python3' }[language];
  if (command === undefined || process.env['CI']) return false;
  return spawnSync(command, ['--version']).error ? `there is no ${command} on this machine` : false;
}
