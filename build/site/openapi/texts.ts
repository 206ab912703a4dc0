/** The texts of the OpenAPI description, which the reference and the guides share, and its code samples. */
import { crossOriginFields } from '../../release/headers.ts';
import type { Plans } from '../../release/plans.ts';
import type { CodeSample } from '../code.ts';
import type { ExamplePaper } from '../example.ts';
import { fillText, readSections } from '../template.ts';
import { planLimits } from '../text.ts';

/** A function that returns a text of `texts.md`, which is Markdown. */
export type TextOf = (name: string) => string;

/** Reads the texts, and fills in the limits of plans. @returns a function that throws an Error when there is no text */
export function readTexts(plans: Plans): TextOf {
  const sections = readSections('texts.md', import.meta.url);
  const { accepted, exposed } = crossOriginFields;
  return (name) => {
    const text = sections.get(name);
    if (text === undefined) throw new Error(`There is no text "${name}".`);
    const paragraphs = text.split('\n\n').map((paragraph) => paragraph.replaceAll('\n', ' '));
    return fillText(paragraphs.join('\n\n'), { accepted, exposed, plans: planLimits(plans) });
  };
}

/**
 * Reads the code of a request, in each language, from `samples.md`. It reads the key from the environment variable
 * `API_KEY`.
 *
 * @param operationId that of the request
 */
export function requestSamples(operationId: string, example: ExamplePaper): readonly CodeSample[] {
  const section = readSections('samples.md', import.meta.url).get(operationId);
  if (section === undefined) throw new Error(`samples.md has no section "${operationId}".`);
  return Array.from(section.matchAll(/^```(\w+)\n(.*?)\n```$/gms), ([, label = '', code = '']) => {
    const lang = label === 'curl' ? 'Shell' : label;
    return { lang, label, source: fillText(code, { ...example }) };
  });
}
