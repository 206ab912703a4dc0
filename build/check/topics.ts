import { lenientQuestion } from '../content/question.ts';
import type { Exam, PaperPlace } from '../content/types.ts';
import type { UnlistedTopic } from '../rules/bank.ts';
import type { PaperFacts } from './process-shift.ts';
import type { ReadQuestion } from './repetitions.ts';

/**
 * Finds the topics of questions that exam.json does not list for their subject. Papers of subjects without listed topics
 * are skipped; only papers with an unlisted topic are read again.
 *
 * @param facts of each paper, by its path
 */
export function findUnlistedTopics(
  exams: readonly Exam[],
  papers: readonly (PaperPlace & { readonly path: string })[],
  facts: ReadonlyMap<string, PaperFacts>,
  read: ReadQuestion,
): UnlistedTopic[] {
  const byExam = new Map(
    exams.map(({ code, path, content }) => {
      const listed = new Map(Object.entries(content?.topics ?? {}));
      return [code, { path, label: content?.label ?? code, listed }];
    }),
  );
  return papers.flatMap(({ path, exam, subject }) => {
    const own = byExam.get(exam);
    const listed = own?.listed.get(subject);
    const paper = facts.get(path);
    if (!own || !listed || !paper) return [];
    const known = new Set(listed);
    const unlisted = new Set(paper.topics.filter((topic) => !known.has(topic)));
    if (unlisted.size === 0) return [];
    const questions = Array.from({ length: paper.hashes.byteLength / 16 }, (_, index) =>
      lenientQuestion(read(path, index)),
    );
    return questions.flatMap(({ topic }, index): UnlistedTopic[] => {
      if (topic === undefined || !unlisted.has(topic)) return [];
      const place = { path, pointer: `/questions/${index}/topic` };
      return [{ ...place, topic, subject, listed, exam: { path: own.path, label: own.label } }];
    });
  });
}
