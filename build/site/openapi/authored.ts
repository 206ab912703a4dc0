import subjectFile from '../../../content/schema/subject-file.schema.json' with { type: 'json' };
import type { DiagramReference, Option, Question } from '../../content/content.ts';
import type { Schema } from './openapi.ts';
import type { SchemaOf } from './typed-schema.ts';

/**
 * What the content's own schema says: it describes every field that is served as it was written. The content
 * was held against it, so that a field's schema is one of the field's type.
 */
const definitions = subjectFile.$defs;

/** The schema of a question's field. */
export function questionField<Field extends keyof typeof definitions.question.properties & keyof Question>(
  field: Field,
): SchemaOf<NonNullable<Question[Field]>> {
  return definitions.question.properties[field] as SchemaOf<NonNullable<Question[Field]>>;
}

export function optionField(field: 'value'): SchemaOf<Option['value']> {
  return definitions.option.properties[field] as SchemaOf<Option['value']>;
}

export function diagramField<Field extends keyof DiagramReference>(
  field: Field,
): SchemaOf<DiagramReference[Field]> {
  return definitions.diagram.properties[field] as SchemaOf<DiagramReference[Field]>;
}

/** Forms of an answer, by the names that the schema gives to them. */
export const answerForms: Readonly<Record<'oneKey' | 'keys' | 'decimal', SchemaOf<string>>> = {
  oneKey: definitions.oneKey as SchemaOf<string>,
  keys: definitions.keys as SchemaOf<string>,
  decimal: definitions.decimal as SchemaOf<string>,
};

/**
 * What each type of question asks of options and answer.
 *
 * @param refTo the name of a component, for that of a definition
 */
export function questionKinds(refTo: (definition: string) => string): Schema[] {
  const kinds = [definitions.mcq, definitions.msq, definitions.numerical];
  return kinds.map((kind) =>
    JSON.parse(JSON.stringify(kind), (key, value) =>
      key === '$ref' ? refTo(String(value).replace('#/$defs/', '')) : value,
    ),
  );
}
