import type { CompiledExam } from '../../../compile/compile.ts';
import { exampleOf, examplePath } from '../../example.ts';
import type { SampleRequest } from './sample.ts';

/** The request that shows an endpoint, by the id of its operation: about papers that the bank has. */
export function sampleRequests(exams: readonly CompiledExam[]): Readonly<Record<string, SampleRequest>> {
  const example = exampleOf(exams);
  const [exam = ''] = example.year.split('/');
  return {
    redirectToReference: { kind: 'redirect', path: '/' },
    getExam: { kind: 'exam', path: `/${exam}` },
    getYear: { kind: 'year', path: `/${example.year}` },
    getQuestions: { kind: 'questions', path: examplePath(example) },
    getDiagram: diagramRequest(exams) ?? {
      kind: 'diagram',
      questions: examplePath(example),
      folder: `/${example.year}/s1/diagrams`,
    },
  };
}

/** A paper with a diagram; which, is not said. */
function diagramRequest(exams: readonly CompiledExam[]): SampleRequest | undefined {
  for (const { resource: exam, years } of exams) {
    for (const { resource: year, shifts } of years) {
      for (const [index, { papers }] of shifts.entries()) {
        const paper = papers.find(({ hasDiagram }) => hasDiagram);
        if (!paper) continue;
        const folder = `/${exam.exam}/${year.year}/s${index + 1}`;
        return {
          kind: 'diagram',
          questions: `${folder}/${paper.subject}.json`,
          folder: `${folder}/diagrams`,
        };
      }
    }
  }
  return undefined;
}
