import { answerCases } from './answer-cases.ts';
import { bankCases } from './bank-cases.ts';
import { characterCases } from './character-cases.ts';
import { diagramCases } from './diagram-cases.ts';
import { exceptionCases } from './exception-cases.ts';
import { fileCases } from './file-cases.ts';
import { formulaCases } from './formula-cases.ts';
import { htmlCases } from './html-cases.ts';
import { markdownCases } from './markdown-cases.ts';
import { paperCases } from './paper-cases.ts';
import type { Cases } from './rule-case.ts';
import { schemaCases } from './schema-cases.ts';
import { syntaxCases } from './syntax-cases.ts';
import { translationCases } from './translation-cases.ts';

/** The cases of all rules. */
export const cases: Cases = {
  ...answerCases,
  ...bankCases,
  ...characterCases,
  ...diagramCases,
  ...exceptionCases,
  ...fileCases,
  ...formulaCases,
  ...htmlCases,
  ...markdownCases,
  ...paperCases,
  ...schemaCases,

  ...syntaxCases,
  ...translationCases,
};
