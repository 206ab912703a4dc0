import type { Report } from '../report/diagnostic.ts';
import type { BuildFigures } from './figures.ts';
import type { Publication } from './publish.ts';

/** What a build comes to. */
export interface BuildResult {
  readonly report: Report;
  /** Undefined when the content has errors: then nothing was published. */
  readonly publication: PublishedBuild | undefined;
}

export interface PublishedBuild extends Publication {
  readonly figures: BuildFigures;
}
