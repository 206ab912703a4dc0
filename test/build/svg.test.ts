import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Diagnostic } from '../../build/check/diagnostic.ts';
import { makeBank, paperOf, paperPath, sampleQuestions, shiftPath } from './bank-folder.ts';
import { harmlessSvgs, hostileSvgs, type SvgCase } from './hostile-svg.ts';
import { validateFolder } from './validate-folder.ts';

/** Validates a bank of these drawings, each in a question of its own. Returns the diagnostics of each. */
async function diagnosticsOf(cases: readonly SvgCase[]): Promise<Map<string, Diagnostic[]>> {
  const files = cases.map(([name, content], index) => ({
    name,
    content,
    id: `q-${index}-`,
    file: `q-${index}-.svg`,
  }));
  const questions = files.map(({ name, id, file }) => ({
    ...sampleQuestions.mcq,
    id,
    question: `Which of these is shown: ${name} (${id})?`,
    diagrams: [{ file, alt: `A drawing with ${name}.` }],
  }));
  const drawings = files.map(({ file, content }) => [`${shiftPath}/diagrams/${file}`, content]);
  const bank = await makeBank({ [paperPath]: paperOf(...questions), ...Object.fromEntries(drawings) });
  const { diagnostics } = (await validateFolder(bank.dir)).report;
  const isOf = ({ file, related = [] }: Diagnostic, name: string) =>
    [file, ...related.map((place) => place.file)].some((path) => path.endsWith(`/${name}`));
  return new Map(
    files.map(({ name, file }) => [name, diagnostics.filter((diagnostic) => isOf(diagnostic, file))]),
  );
}

describe('An SVG is rejected, with a diagnostic that says where and how to fix it:', async () => {
  const diagnostics = await diagnosticsOf(hostileSvgs);
  for (const [name] of hostileSvgs) {
    it(name, () => {
      const [first, ...others] = diagnostics.get(name) ?? [];
      assert.ok(first, 'it is accepted');
      for (const { rule, severity, line, message } of [first, ...others]) {
        assert.match(rule, /^(?:svg-safety|diagram-image)$/);
        assert.equal(severity, 'error');
        assert.ok(line >= 1);
        assert.match(
          message,
          /Remove|Delete|Embed|Export|Save|Add|Put|Use|Ungroup|Simplify|Write|not well-formed XML/,
        );
      }
    });
  }
});

describe('An SVG is accepted:', async () => {
  const diagnostics = await diagnosticsOf(harmlessSvgs);
  for (const [name] of harmlessSvgs) it(name, () => assert.deepEqual(diagnostics.get(name), []));
});
