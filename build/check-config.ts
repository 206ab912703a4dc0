/** Validates `pastpaper.config.json` before a command runs. */
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { readJsonFile } from './content/file.ts';
import { type Bank, configFile } from './release/bank.ts';
import type { Problem } from './rules/rule.ts';
import { quickValidators } from './validators.ts';

/**
 * Validates the configuration of the bank.
 *
 * @returns the problems as text, as those of content are reported; undefined if there are none, or no configuration
 */
export async function checkConfig(path: string = configFile): Promise<string | undefined> {
  if (!existsSync(path)) return undefined;
  const file = readJsonFile(path, path, 'config');
  if (file.state !== 'parsed' || !quickValidators.config(file.value)) {
    const [{ problemsOf }, { fileRules }, { schemaRule }] = await Promise.all([
      import('./rules/rule.ts'),
      import('./rules/rules.ts'),
      import('./rules/schema.ts'),
    ]);
    return textOf([...problemsOf([...fileRules, schemaRule], file)]);
  }
  const { logo } = file.value as Bank;
  if (logo === undefined) return undefined;
  const [{ readDiagram }, { imageFindings }] = await Promise.all([
    import('./content/image.ts'),
    import('./rules/diagrams.ts'),
  ]);
  const name = basename(logo);
  const findings = [...imageFindings({ path: logo, file: name, image: readDiagram(logo, name) })];
  const problems = findings.map(({ message, part, path: image }): Problem => {
    const place = image === undefined ? { path, pointer: '/logo' } : { path: image, pointer: '', part };
    return { rule: 'logo', severity: 'error', message, ...place };
  });
  return problems.length > 0 ? textOf(problems) : undefined;
}

async function textOf(problems: readonly Problem[]): Promise<string> {
  const [{ locateInContent }, { problemText }] = await Promise.all([
    import('./check/diagnostic.ts'),
    import('./report/text.ts'),
  ]);
  const setting = { contentDir: '', width: 120, colour: false };
  return locateInContent('', problems)
    .map((problem) => `${problemText(problem, setting)}\n\n`)
    .join('');
}
