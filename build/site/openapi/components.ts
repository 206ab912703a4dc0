/** Parameters and header fields of the API, as components of its OpenAPI description: `components.json`, completed. */
import type { CompiledExam } from '../../compile/exams.ts';
import { apiErrors } from '../../release/errors.ts';
import { anyOrigin, cacheControl, crossOriginFields, everyResponse, svgPolicy, vary } from '../../release/headers.ts';
import { defaultPlans, type Plan } from '../../release/plans.ts';
import { namePatterns } from '../../release/urls.ts';
import { type ExamplePaper, inventedDiagram } from '../example.ts';
import components from './components.json' with { type: 'json' };
import { filled, type Header, type Parameter, type Reference, refTo } from './openapi.ts';
import type { TextOf } from './texts.ts';

export type HeaderName = keyof typeof components.headers;

/** A header field as the file describes it: `texts.md` has its description, under the name of the component. */
interface HeaderField extends Partial<Header> {
  readonly field: string;
  /** The value, if it is the same in every response that has the field. */
  readonly value?: string | number;
}

/** Returns the parameters in paths and header fields, with examples from the bank: first those of one paper. */
export function parametersOf(
  exams: readonly CompiledExam[],
  { exam, year, shift, subject }: ExamplePaper,
  text: TextOf,
): Record<string, Parameter> {
  const codes = new Set([exam, ...exams.map(({ resource }) => resource.exam)]);
  const allSubjects = exams.flatMap(({ years }) =>
    years.flatMap(({ resource }) => resource.shifts.flatMap((each) => each.subjects)),
  );
  const files = Array.from(new Set([subject, ...allSubjects]), (each) => `${each}.json`);
  const examples = { exams: [...codes], year, shift, day: shift.slice(5, 10), files, diagram: inventedDiagram };
  const values = { namePatterns, crossOriginFields, examples };
  const described = Object.entries(filled<Parameter>(components.parameters, values)).map(([key, parameter]) => {
    const { name, required = true, schema } = parameter;
    return [key, { ...parameter, description: text(name), required, example: schema.examples[0] }];
  });
  return Object.fromEntries(described);
}

/** The header components, with the limits of a plan in their examples. */
export function headersOfPlan(plan: Plan = defaultPlans.free, text: TextOf): Record<HeaderName, Header> {
  const rest = { perSecond: plan.perSecond - 1, perMonth: plan.perMonth - 1 };
  const values = { anyOrigin, apiErrors, cacheControl, crossOriginFields, everyResponse, plan, rest, svgPolicy, vary };
  const fields = filled<Header>(components.fields, values);
  const headers = Object.entries(filled<HeaderField>(components.headers, values));
  const described = headers.map(([name, { field, value, required = true, ...own }]) => {
    const type = typeof value === 'number' ? 'integer' : 'string';
    const fixed = value === undefined ? fields[field] : { schema: { type, const: value }, example: value };
    return [name, { description: text(name), required, ...fixed, ...own }];
  });
  return Object.fromEntries(described);
}

/** The name of the header field of a component. */
export function fieldOf(name: HeaderName): string {
  return components.headers[name].field;
}

/** Returns the header fields of a response, by field name. @param names of those that not every response has */
export function headersOf(names: readonly HeaderName[]): Record<string, Reference> {
  const all: readonly HeaderName[] = ['ContentTypeOptions', ...names];
  return Object.fromEntries(all.map((name) => [fieldOf(name), refTo('headers', name)]));
}
