import { checkContent } from './check/check-content.ts';
import type { Report } from './check/diagnostic.ts';
import { type ExaminedContent, examineContent } from './check/examine-content.ts';
import { Recollection } from './check/recollection.ts';
import { scopeOf } from './check/scope.ts';
import type { TimedShift } from './check/work.ts';
import type { WrittenShift } from './compile/compile-shift.ts';
import { compileExams } from './compile/exams.ts';
import { bankOutputs, shiftTables } from './compile/outputs.ts';
import { type FoundContent, findContent, shiftPath } from './content/find.ts';
import type { Exam } from './content/types.ts';
import { Draft } from './publish/draft.ts';
import { LastRelease } from './publish/last-release.ts';
import { LazyCrew } from './publish/lazy-crew.ts';
import { publish } from './publish/publish.ts';
import { RecalledAnswers } from './publish/recalled-answers.ts';
import { type BuildResult, bytesOf, Stopwatch, slowestOf } from './publish/result.ts';
import { WrittenShifts } from './publish/written-shifts.ts';
import { releasedBank } from './site/catalogue/changes.ts';
import { siteOutputs } from './site/site.ts';
import type { Progress } from './threads/threads.ts';
import { openFormulas, type ValidationSetting } from './validate.ts';

/**
 * Checks what has changed, makes its answers, and publishes them with those of the last release that still hold.
 *
 * @throws NoContent when there is no content folder; the file system's own errors when `distDir` cannot
 * be written
 */
export async function buildAnew(
  setting: ValidationSetting,
  distDir: string,
  onProgress: Progress,
): Promise<BuildResult> {
  const { contentDir, dataDir, now } = setting;
  const stopwatch = new Stopwatch(() => performance.now());
  const content = await findContent(contentDir);
  const [last, written, recollection, draft] = await Promise.all([
    LastRelease.open(distDir),
    WrittenShifts.open(dataDir),
    Recollection.open(contentDir, dataDir, content, now),
    Draft.open(distDir),
  ]);
  stopwatch.lap('find');
  const crew = new LazyCrew(setting, draft.folder, recollection.words, written.known.words, onProgress);
  try {
    const recalled = new RecalledAnswers(recollection, written, last);
    const { report, answers } = await answer(setting, content, recalled, crew, stopwatch);
    if (!answers) return { report, publication: undefined };
    const exams = compileExams(
      answers.exams,
      answers.shifts.map(({ compiled }) => compiled),
    );
    const site = await siteOutputs(exams, last && (await releasedBank(last)));
    stopwatch.lap('pages');
    const publication = await publish(
      { distDir, draft, last, now, stopwatch, compressor: crew },
      {
        shifts: answers.shifts,
        outputs: [...bankOutputs(exams), ...site],
        aliases: shiftTables(exams),
      },
    );
    await written.save(answers.shifts);
    stopwatch.lap('remember');
    const figures = {
      bytes: bytesOf(publication.manifest),
      stages: stopwatch.laps,
      slowest: slowestOf(answers.slowest),
    };
    return { report, publication: { ...publication, figures } };
  } finally {
    await crew.close();
    draft.remove();
  }
}

/** What is kept of content that passed: of its questions, where their answers stand. */
interface Answers {
  readonly exams: readonly Exam[];
  readonly shifts: readonly WrittenShift[];
  readonly slowest: readonly TimedShift[];
}

/** Checks the content and answers its shifts; there are no answers where there are errors. */
async function answer(
  { contentDir, dataDir }: ValidationSetting,
  content: FoundContent,
  recalled: RecalledAnswers,
  crew: LazyCrew,
  stopwatch: Stopwatch,
): Promise<{ readonly report: Report; readonly answers: Answers | undefined }> {
  const scope = scopeOf(content);
  const examined = await examineContent({
    content,
    scope,
    recollection: recalled,
    openFormulas: () => openFormulas(dataDir),
    startExaminer: (folders, formulas) => crew.examiner(folders, formulas),
  });
  stopwatch.lap('check and answer');
  const report = await checkContent(contentDir, content, scope, examined);
  if (report.summary.errors > 0) return { report, answers: undefined };
  const shifts = await allShifts(content, examined, recalled, crew);
  stopwatch.lap('check the bank');
  return { report, answers: { exams: examined.exams, shifts, slowest: examined.slowest } };
}

/** The answers of every shift, in the order of the content: those that stand already, and those that were made now. */
async function allShifts(
  { shifts }: FoundContent,
  { answers }: ExaminedContent,
  recalled: RecalledAnswers,
  crew: LazyCrew,
): Promise<WrittenShift[]> {
  const found = new Map<string, WrittenShift>();
  const keep = (shift: WrittenShift | undefined) => shift && found.set(shiftPath(shift.compiled), shift);
  for (const shift of recalled.unchanged) keep(shift);
  for (const answer of answers) keep('known' in answer ? recalled.find(answer.known) : answer);
  const folders = shifts.filter((folder) => folder.papers.length > 0);
  const missing = folders.filter((folder) => !found.has(shiftPath(folder)));
  if (missing.length > 0) for (const shift of await crew.excepted(missing)) keep(shift);
  return folders.flatMap((folder) => found.get(shiftPath(folder)) ?? []);
}
