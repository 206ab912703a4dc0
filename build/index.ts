/** What programs can import from the package: the types of the API's responses, and a scorer of answers. */
export type * from './release/resources.ts';
export { score } from './release/score.ts';
