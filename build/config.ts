/** Validates `pastpaper.config.json` before a command runs. */
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, sep } from 'node:path';
import { compiledModule } from './compile.js';
import { type JsonFile, readJsonFile } from './content/file.ts';
import { duplicateNames } from './content/positions.ts';
import { type Bank, configFile, imageFields } from './release/config.ts';
import type { Problem } from './rules/rule.ts';

const { config: isConfig } = await compiledModule('validators/quick');

/**
 * Validates the configuration of the bank.
 *
 * @returns the problems as text, as those of content are reported; undefined if there are none, or no configuration
 */
export async function checkConfig(path: string = configFile): Promise<string | undefined> {
  if (!existsSync(path)) return undefined;
  const file = readJsonFile(path, path, 'config');
  if (file.state !== 'parsed' || !isSound(file)) {
    const [{ problemsOf }, { fileRules }, { schemaRule }] = await Promise.all([
      import('./rules/rule.ts'),
      import('./rules/rules.ts'),
      import('./rules/schema.ts'),
    ]);
    return textOf([...problemsOf([...fileRules, schemaRule], file)]);
  }
  const bank = file.value as Bank;
  const ofImages = await Promise.all(
    imageFields.map((field) => imageProblems(path, field, bank[field])),
  );
  const problems = [...ofImages.flat(), ...accentProblems(path, bank)];
  return problems.length > 0 ? textOf(problems) : undefined;
}

/** Whether a file breaks none of the rules on JSON files, which are loaded only for one that does. */
function isSound(file: Extract<JsonFile, { state: 'parsed' }>): boolean {
  const isPlain = !file.byteOrderMark && duplicateNames(file.text).length === 0;
  return isPlain && isConfig(file.value);
}

async function imageProblems(
  path: string,
  field: string,
  image: string | undefined,
): Promise<Problem[]> {
  if (image === undefined) return [];
  if (existsSync(image) && !realpathSync(image).startsWith(realpathSync(dirname(path)) + sep)) {
    const message = `The file is outside the folder of ${configFile}. Copy it into that folder.`;
    return [{ rule: field, severity: 'error', message, path, pointer: `/${field}` }];
  }
  const [{ readDiagram }, { imageFindings }] = await Promise.all([
    import('./content/image.ts'),
    import('./rules/diagrams.ts'),
  ]);
  const file = basename(image);
  const findings = [...imageFindings({ path: image, file, image: readDiagram(image, file) })];
  return findings.map(({ message, part, path: inImage }): Problem => {
    const place =
      inImage === undefined ? { path, pointer: `/${field}` } : { path: inImage, pointer: '', part };
    return { rule: field, severity: 'error', message, ...place };
  });
}

/** The background of the pages of each theme on which its accent has the least contrast, and what has more. */
const backgrounds = { light: ['#fdeeec', 'darker'], dark: ['#33260f', 'lighter'] } as const;

/** Reports an accent that is hard to read: a text needs a contrast of 4.5 to 1 (WCAG 2.2, 1.4.3). */
function accentProblems(path: string, { accent }: Bank): Problem[] {
  if (accent === undefined) return [];
  return (['light', 'dark'] as const).flatMap((theme): Problem | [] => {
    const [background, better] = backgrounds[theme];
    const [low = 0, high = 0] = [accent[theme], background].map(luminance).sort((a, b) => a - b);
    const contrast = (high + 0.05) / (low + 0.05);
    if (contrast >= 4.5) return [];
    // Rounded down: 4.46 is not 4.5.
    const number = Math.floor(contrast * 10) / 10;
    const finding = `${accent[theme]} has a contrast of ${number} to 1 in the ${theme} theme.`;
    const message = `${finding} Use a ${better} color: 4.5 to 1 is the minimum.`;
    return { rule: 'accent', severity: 'error', message, path, pointer: `/accent/${theme}` };
  });
}

/** The relative luminance of `#rrggbb` (WCAG 2.2). */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const value = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
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
