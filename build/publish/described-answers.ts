import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { schemas } from '../site/description/schemas.ts';

const names = ['ExamYears', 'YearShifts', 'QuestionFile'] as const;

/** The resources of the API, by the names of their schemas. */
type ResourceName = (typeof names)[number];

/** Holds what is about to be published against the API's own description. */
export class DescribedAnswers {
  readonly #validators: Readonly<Record<ResourceName, ValidateFunction>>;

  constructor() {
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    ajv.addSchema({ components: { schemas } }, 'description');
    const compile = (name: ResourceName) => ajv.compile({ $ref: `description#/components/schemas/${name}` });
    const [exam, year, file] = names;
    this.#validators = {
      [exam]: compile(exam),
      [year]: compile(year),
      [file]: compile(file),
    };
  }

  /**
   * @param path of the URL, for the message
   * @throws Error when the answer is not as it is described: a fault of the build, which then publishes nothing
   */
  hold(name: ResourceName, path: string, answer: unknown): void {
    const validate = this.#validators[name];
    if (validate(answer)) return;
    const [first] = validate.errors ?? [];
    throw new Error(
      `The answer to /${path} is not the ${name} that the API describes: ${first?.instancePath} ${first?.message}.`,
    );
  }
}
