import type { Json, Member } from './json.ts';
import type { Shape } from './shape.ts';
import { repairedText } from './text.ts';

/** The properties whose texts people read. All others are for machines, and stay to the letter. */
const readByPeople: ReadonlySet<string> = new Set(['label', 'question', 'topic', 'value', 'alt']);

/**
 * A value with its properties in order, texts that people read repaired, and options sorted. Properties that
 * the shape does not know stay as they are, behind those that it knows; so does a value of the wrong type.
 */
export function repaired(value: Json, shape: Shape): Json {
  if (value.type === 'array') {
    const { items } = shape;
    return items ? { ...value, items: value.items.map((item) => repaired(item, items)) } : value;
  }
  return value.type === 'object' ? { ...value, members: repairedMembers(value.members, shape) } : value;
}

function repairedMembers(members: readonly Member[], { properties }: Shape): Member[] {
  const names = [...properties.keys()];
  const rank = ({ name }: Member) => (properties.has(name) ? names.indexOf(name) : names.length);
  const sortsOptions = answerNamesKeys(members);
  return members
    .map(({ name, value }) => {
      const shape = properties.get(name);
      if (!shape) return { name, value };
      if (value.type === 'string' && readByPeople.has(name))
        return { name, value: { ...value, value: repairedText(value.value) } };
      const inner = repaired(value, shape);
      return { name, value: name === 'options' && sortsOptions ? sortedByKey(inner) : inner };
    })
    .toSorted((a, b) => rank(a) - rank(b));
}

/** Where the answer is something else, a position perhaps, the order of the options may mean something. */
function answerNamesKeys(members: readonly Member[]): boolean {
  const answer = members.find(({ name }) => name === 'answer')?.value;
  return answer?.type === 'string' && /^[A-Z](,[A-Z])*$/.test(answer.value);
}

/** Options by their keys, if each has one of its own, a capital letter. */
function sortedByKey(options: Json): Json {
  if (options.type !== 'array') return options;
  const keyed = options.items.map((option) => ({ option, key: keyOf(option) }));
  const keys = new Set(keyed.map(({ key }) => key));
  if (keys.has('') || keys.size < keyed.length) return options;
  return {
    ...options,
    items: keyed.toSorted((a, b) => (a.key < b.key ? -1 : 1)).map(({ option }) => option),
  };
}

/** An option's key; '' where it has none that is a capital letter. */
function keyOf(option: Json): string {
  if (option.type !== 'object') return '';
  const key = option.members.find(({ name }) => name === 'key')?.value;
  return key?.type === 'string' && /^[A-Z]$/.test(key.value) ? key.value : '';
}
