/** The OpenAPI description of the API. */
import packageFile from '../../../package.json' with { type: 'json' };
import type { CompiledExam } from '../../compile/exams.ts';
import { type Bank, isEmail } from '../../release/bank.ts';
import { defaultPlan } from '../../release/plans.ts';
import { schemas } from '../../release/schemas.ts';
import { examplePaper } from '../example.ts';
import { headersOfPlan, parametersOf } from './components.ts';
import { pathsOf } from './operations.ts';
import { readTexts } from './texts.ts';

export type Description = ReturnType<typeof describeApi>;

/** The texts of each section, which is named after the first. */
const sections = [
  ['Shift names'],
  ['Limits', 'Retries'],
  ['Caching'],
  ['Checksums'],
  ['CORS'],
  ['Errors'],
];

/** Describes the API in OpenAPI 3.1, from the tables of the build and the gateway, with examples from the bank. */
export function describeApi(bank: Bank, exams: readonly CompiledExam[]) {
  const { name, tagline, contact, terms, publicUrl, plans } = bank;
  const paper = examplePaper(exams, publicUrl);
  const text = readTexts(plans);
  const section = (names: readonly string[]) => `## ${names[0]}\n\n${names.map(text).join('\n\n')}`;
  return {
    openapi: '3.1.1',
    info: {
      title: name,
      summary: tagline,
      description: [text('Overview'), ...sections.map(section)].join('\n\n'),
      // Absent from the JSON if they are undefined.
      termsOfService: terms,
      contact: contact && (isEmail(contact) ? { email: contact } : { url: contact }),
      version: packageFile.version,
    },
    servers: [{ url: publicUrl ?? '/', description: 'The service that serves this description.' }],
    tags: ['Public', 'Protected', 'Service'].map((name) => ({ name, description: text(name) })),
    paths: pathsOf(exams, paper, text),
    components: {
      schemas,
      parameters: parametersOf(exams, paper, text),
      headers: headersOfPlan(plans[defaultPlan(plans)], text),
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: text('Keys') } },
    },
  };
}
