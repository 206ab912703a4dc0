/** What programs can import, browsers included: the types of responses, and functions that score and select questions. */
export { score, scoreSection } from './client/score.ts';
export { selectQuestions } from './client/select.ts';
export type * from './release/resources.ts';
