/** What programs can import from the package: the types of the API's responses, and scorers of responses. */
export type * from './release/resources.ts';
export { score, scoreSection } from './release/score.ts';
