import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import type { Description } from '../site/description/openapi.ts';

const head = `/**
 * The API's types for clients, made from its description: \`npm run client-types\`. With openapi-fetch:
 * \`createClient<paths>({ baseUrl })\`.
 */

`;

/**
 * The types of the API as a module of TypeScript, `paths` and `components` among its exports.
 *
 * @returns the text of the module; the same for every bank
 */
export async function clientTypes(description: Description): Promise<string> {
  const document = JSON.parse(JSON.stringify(description)) as OpenAPI3;
  return head + astToString(await openapiTS(document));
}
