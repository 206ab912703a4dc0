import type { FileBytes } from '../content/file.ts';
import { diagramsOf, withSharedPassages } from '../content/question.ts';
import type * as bank from '../content/types.ts';
import type * as written from '../content/written.ts';
import type * as api from '../release/resources.ts';
import { checksumOf, shortChecksum } from './checksum.ts';
import { diagramContentType, inSchemaOrder, jsonType, validateResponse } from './response.ts';
import { translated } from './translated.ts';

/** What `shift.json` says and question files repeat. */
type ShiftDetails = Omit<written.ShiftFile, 'form'>;

/** What the public resources need to know about a shift. */
export interface CompiledShift extends bank.ShiftPlace {
  readonly papers: readonly CompiledPaper[];
  readonly details: ShiftDetails;
  /** The newest of its question files, translations included: ISO 8601, UTC. */
  readonly lastUpdated: string;
  /** Its own. */
  readonly form?: api.ExamForm | undefined;
  /** Undefined without any. */
  readonly translations?: readonly api.TranslationSummary[] | undefined;
}

export interface CompiledPaper {
  readonly subject: string;
  readonly total: number;
  /** Over the canonical JSON of its questions. */
  readonly checksum: string;
  readonly hasDiagram: boolean;
  /** In the order of the paper. */
  readonly topics: readonly TopicCount[];
}

type Difficulty = api.ServedQuestion['difficulty'];

/** How many questions a paper has on a topic. */
interface TopicCount {
  readonly topic: string;
  readonly counts: Readonly<Record<Difficulty, number>>;
}

function compiledPaper({ subject, total, questions, metadata }: api.QuestionFile): CompiledPaper {
  return {
    subject,
    total,
    checksum: metadata.checksum,
    hasDiagram: questions.some((question) => question.hasDiagram),
    topics: topicCounts(questions),
  };
}

function topicCounts(questions: readonly api.ServedQuestion[]): TopicCount[] {
  const found = new Map<string, Record<Difficulty, number>>();
  for (const { topic, difficulty } of questions) {
    const counts = found.get(topic) ?? { easy: 0, medium: 0, hard: 0, unrated: 0 };
    counts[difficulty] += 1;
    found.set(topic, counts);
  }
  return [...found].map(([topic, counts]) => ({ topic, counts }));
}

/** The protected responses of a shift, and what the public ones need to know about it. */
export interface ShiftOutputs {
  readonly compiled: CompiledShift;
  readonly responses: readonly ShiftResponse[];
}

/** A protected response: a question file or a diagram. */
interface ShiftResponse {
  /** URL path without slashes at its ends. */
  readonly path: string;
  readonly mediaType: string;
  readonly body: Buffer;
}

/** Shift outputs whose bodies are stored in a release or in its draft. */
export interface PublishedShift {
  readonly compiled: CompiledShift;
  readonly responses: readonly (Omit<ShiftResponse, 'body'> & {
    /** Bytes. */
    readonly size: number;
    /** Hex SHA-256 of the body. */
    readonly sha256: string;
  })[];
}

/**
 * Compiles a shift whose content passed its checks.
 *
 * @param folder its place, and its `shift.json`
 * @param papers in the order of the folder; so are the translations
 * @param diagrams all diagrams of the folder; those that no question names are left out
 * @param files of the folder, as they were read
 * @throws Error when a question file does not conform to the API's schema
 */
export function compileShift(
  {
    exam,
    year,
    shift,
    details: written,
  }: bank.ShiftPlace & { readonly details?: written.ShiftFile | undefined },
  papers: readonly bank.Paper[],
  translations: readonly bank.Translation[],
  diagrams: readonly bank.DiagramFile[],
  files: { readonly diagrams: readonly FileBytes[] },
): ShiftOutputs {
  const folder = `${exam}/${year}/${shift}`;
  const byName = new Map(diagrams.map((diagram) => [diagram.file, diagram]));
  const details = inSchemaOrder<ShiftDetails>('QuestionFile', written ?? {});
  const { answerKey, booklet } = written ?? {};
  const keyDetails = inSchemaOrder<ShiftDetails>('ShiftSummary', { answerKey, booklet });
  /** With what is known of the shift. */
  const withDetails = (file: api.QuestionFile): api.QuestionFile => ({
    ...file,
    metadata: { ...file.metadata, ...keyDetails },
    ...details,
  });
  const originalOf = (subject: string) => papers.find((paper) => paper.subject === subject);
  const wholePaper = (paper: bank.Paper) => {
    const content = contentOf(paper);
    return withSharedPassages(
      content,
      content.questions,
      (subject) => originalOf(subject)?.content,
    );
  };
  const questionFiles = papers.map((paper) =>
    withDetails(questionFile(paper, wholePaper(paper), byName)),
  );
  const translatedFiles = translations.map((translation) => {
    const { subject, language } = translation;
    const original = originalOf(subject);
    if (!original) throw new Error(`${translation.path} passed the checks but has no original.`);
    const whole = wholePaper(original);
    const texts = withSharedPassages(contentOf(translation), whole.questions, (other) => {
      return translations.find((one) => one.subject === other && one.language === language)
        ?.content;
    });
    return withDetails(questionFile(original, translated(whole, texts), byName, language));
  });
  const servedFiles = [...questionFiles, ...translatedFiles];
  const responses = servedFiles.map((file): ShiftResponse => {
    const path = `${folder}/${fileName(file)}`;
    validateResponse('QuestionFile', path, file);
    return { path, mediaType: jsonType, body: Buffer.from(JSON.stringify(file)) };
  });
  const owners = questionFiles.flatMap(({ questions, passages = [] }) => [
    ...questions,
    ...passages,
  ]);
  const served = owners.flatMap((owner) => [...diagramsOf<api.ServedDiagram>(owner)]);
  const mediaTypes = new Map(served.map(({ file, mediaType }) => [file, mediaType]));
  for (const [index, { file }] of diagrams.entries()) {
    const mediaType = mediaTypes.get(file);
    if (mediaType === undefined) continue;
    const body = files.diagrams[index];
    if (!Buffer.isBuffer(body))
      throw new Error(`The diagram ${file} passed the checks but was not read.`);
    responses.push({
      path: `${folder}/diagrams/${file}`,
      mediaType: diagramContentType(mediaType),
      body,
    });
  }
  const papersOfShift = questionFiles.map(compiledPaper);
  const summaries =
    translatedFiles.length > 0 ? translatedFiles.map(translationSummary) : undefined;
  return {
    compiled: {
      exam,
      year,
      shift,
      details: { ...details, ...keyDetails },
      lastUpdated: newestUpdate(servedFiles),
      form: inSchemaOrder('ExamForm', written?.form),
      papers: papersOfShift,
      translations: summaries,
    },
    responses,
  };
}

/** The newest `lastUpdated`. Compares moments: fractions of a second may be written or not. */
function newestUpdate(files: readonly api.QuestionFile[]): string {
  const moments = files.map(({ metadata }) => Date.parse(metadata.lastUpdated));
  return new Date(Math.max(...moments)).toISOString();
}

function contentOf<Content>({
  path,
  content,
}: {
  path: string;
  content: Content | undefined;
}): Content {
  if (!content) throw new Error(`${path} passed the checks but breaks its schema.`);
  return content;
}

function fileName({ subject, language }: api.QuestionFile): string {
  return `${language === undefined ? subject : `${subject}.${language}`}.json`;
}

function translationSummary(file: api.QuestionFile): api.TranslationSummary {
  const { subject, language = '', metadata } = file;
  return { file: fileName(file), subject, language, checksum: metadata.checksum };
}

/**
 * The question file resource (2.3) of a paper.
 *
 * @param diagrams the diagrams of the paper's shift, by file name
 * @param language of a translation
 */
export function questionFile(
  { exam, year, shift, subject }: bank.PaperPlace,
  { questions, passages = [], marking, lastUpdated }: written.SubjectFile,
  diagrams: ReadonlyMap<string, bank.DiagramFile>,
  language?: string,
): api.QuestionFile {
  const used = new Set(questions.map(({ passage }) => passage));
  const servedPassages = passages
    .filter(({ id }) => used.has(id))
    .map((passage) => {
      const { diagrams: named = [] } = passage;
      return inSchemaOrder<api.ServedPassage>('Passage', {
        ...passage,
        diagrams: named.map((diagram) => servedDiagram(diagram, diagrams)),
      });
    });
  const byId = new Map(
    servedPassages.map((passage) => [passage.id, { passage, checksum: checksumOf(passage) }]),
  );
  const served = questions.map((question) => {
    const found = question.passage === undefined ? undefined : byId.get(question.passage);
    return servedQuestion(question, found, question.marking ?? marking, diagrams);
  });
  return {
    exam,
    year: Number(year),
    shift,
    subject,
    total: served.length,
    questions: served,
    metadata: {
      examDate: shift.slice(0, 'YYYY-MM-DD'.length),
      totalQuestions: served.length,
      lastUpdated,
      checksum: checksumOf(served),
    },
    passages: servedPassages.length > 0 ? servedPassages : undefined,
    marking: inSchemaOrder('Marking', marking),
    language,
  };
}

function servedQuestion(
  question: written.Question,
  found: { readonly passage: api.ServedPassage; readonly checksum: string } | undefined,
  marking: api.Marking | undefined,
  files: ReadonlyMap<string, bank.DiagramFile>,
): api.ServedQuestion {
  const hasOwnDiagram = diagramsOf(question).next().done === false;
  return inSchemaOrder<api.ServedQuestion>('Question', {
    ...question,
    options: question.options.map(({ value = '', diagram, ...option }) => ({
      ...option,
      value,
      diagram: diagram && servedDiagram(diagram, files),
    })),
    answer: question.answer ?? '',
    topic: question.topic ?? 'Unclassified',
    difficulty: question.difficulty ?? 'unrated',
    hasDiagram: hasOwnDiagram || (found !== undefined && found.passage.diagrams.length > 0),
    diagrams: (question.diagrams ?? []).map((diagram) => servedDiagram(diagram, files)),
    passage: found?.passage.id,
    passageChecksum: found?.checksum,
    marking,
  });
}

function servedDiagram(
  { file, alt = '' }: written.Diagram,
  files: ReadonlyMap<string, bank.DiagramFile>,
): api.ServedDiagram {
  const image = files.get(file)?.image;
  if (!image || 'fault' in image)
    throw new Error(`The diagram ${file} passed the checks but is not an image.`);
  const { mediaType, width, height, sha256 } = image;
  return { file, alt, mediaType, width, height, checksum: shortChecksum(sha256) };
}
