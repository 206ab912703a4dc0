import { answerCases } from './answer-cases.ts';
import { bankCases } from './bank-cases.ts';
import { diagramCases } from './diagram-cases.ts';
import { exceptionCases } from './exception-cases.ts';
import { fileCases } from './file-cases.ts';
import { paperCases } from './paper-cases.ts';
import type { Cases } from './rule-case.ts';
import { schemaCases } from './schema-cases.ts';
import { syntaxCases } from './syntax-cases.ts';
import { textCases } from './text-cases.ts';
import { translationCases } from './translation-cases.ts';

/** The cases of all rules. */
export const cases: Cases = {
  ...answerCases,
  ...bankCases,
  ...diagramCases,
  ...exceptionCases,
  ...fileCases,
  ...paperCases,
  ...schemaCases,
  ...syntaxCases,
  ...textCases,
  ...translationCases,
};
