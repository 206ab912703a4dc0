import type { RuleDescription } from '../rules/rule.ts';

/** Every rule with its severity and what content has to be, a line each. */
export function ruleList(rules: readonly RuleDescription[]): string {
  const width = Math.max(...rules.map(({ name }) => name.length));
  return rules
    .map(
      ({ name, severity, description }) => `${name.padEnd(width)}  ${severity.padEnd(7)}  ${description}\n`,
    )
    .join('');
}

/** One rule with an example of wrong and right, and whether a bank can make an exception of it. */
export function ruleExplained({ name, severity, description, example, strict }: RuleDescription): string {
  const exceptions = strict
    ? 'No exception can be made of it: a release could not be built of content that breaks it.'
    : 'A bank can list exceptions of it in exceptions.json: rule, file, pointer and reason.';
  return `${name} (${severity})

  ${description}

  wrong: ${indented(example.wrong)}
  right: ${indented(example.right)}

  ${exceptions}
`;
}

function indented(text: string): string {
  return text.replaceAll('\n', `\n${' '.repeat('  wrong: '.length)}`);
}
