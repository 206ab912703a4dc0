import packageFile from '../../../package.json' with { type: 'json' };
import type { CompiledExam } from '../../compile/compile.ts';
import { exampleOf } from '../example.ts';
import { headers } from './headers.ts';
import type { Description } from './openapi.ts';
import { pathsOf } from './operations.ts';
import { parametersOf } from './parameters.ts';
import { caching, checksums, crossOrigin, errors, keys, limits, overview, shiftNames } from './prose.ts';
import { schemas } from './schemas.ts';

/**
 * The API in OpenAPI 3.1, from the tables that build and gateway go by, with examples from the bank. It is
 * public: of what needs a key it shows invented examples alone.
 */
export function describeApi(exams: readonly CompiledExam[]): Description {
  const paper = exampleOf(exams);
  return {
    openapi: '3.1.1',
    info: {
      title: 'Pastpaper',
      summary: 'Exam papers over a read-only HTTP API.',
      description: sections([
        [undefined, overview],
        ['Naming a shift', shiftNames],
        ['Limits', limits],
        ['Caching', caching],
        ['Checksums', checksums],
        ['Scripts of other origins', crossOrigin],
        ['Errors', errors],
      ]),
      version: packageFile.version,
      license: { name: packageFile.license, identifier: packageFile.license },
    },
    servers: [{ url: '/', description: 'Where this description is.' }],
    tags: [
      { name: 'Public', description: 'What a paper consists of: for anyone.' },
      {
        name: 'With a key',
        description: 'Questions and diagrams: with an API key, within the limits of its plan.',
      },
      { name: 'Service', description: 'The service itself.' },
    ],
    paths: pathsOf(exams, paper),
    components: {
      schemas,
      parameters: parametersOf(exams, paper),
      headers,
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: keys } },
    },
  };
}

function sections(parts: readonly (readonly [heading: string | undefined, text: string])[]): string {
  return parts
    .map(([heading, text]) => (heading === undefined ? text : `## ${heading}\n\n${text}`))
    .join('\n\n');
}
