import type { ValidateFunction } from 'ajv/dist/2020.js';
import { compiledModule } from '../compile.js';
import type { FileBytes } from '../content/file.ts';
import { diagramsOf, withSharedPassages } from '../content/question.ts';
import type * as bank from '../content/types.ts';
import type * as written from '../content/written.ts';
import type * as api from '../release/resources.ts';
import type { ResourceName } from '../release/schemas.ts';
import {
  canonicalText,
  checksumOf,
  checksumOfText,
  diagramContentType,
  inSchemaOrder,
  jsonType,
  type Output,
  shortChecksum,
} from './response.ts';
import { translated } from './translated.ts';

const validators: Readonly<Record<ResourceName, ValidateFunction>> =
  await compiledModule('validators/resources');

/** What `shift.json` says and question files repeat. */
type ShiftDetails = Omit<written.ShiftFile, 'form'>;

/** What the public resources need to know about a shift. */
export interface CompiledShift extends bank.ShiftPlace {
  readonly papers: readonly CompiledPaper[];
  readonly details: ShiftDetails;
  /** The newest of its question files, translations included: ISO 8601, UTC. */
  readonly lastUpdated: string;
  /** The form that its `shift.json` has, if it has one. */
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

type Difficulty = api.Question['difficulty'];

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

function topicCounts(questions: readonly api.Question[]): TopicCount[] {
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
  /** The entries of its questions in the index of the year. */
  readonly index: readonly api.IndexedQuestion[];
}

/** A protected response: a question file or a diagram. */
export interface ShiftResponse {
  /** Path below that of the shift: `physics.json`, `diagrams/lens.png`. */
  readonly file: string;
  readonly mediaType: string;
  readonly body: Buffer;
  /** How many questions a question file has. */
  readonly total?: number;
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
  const index: api.IndexedQuestion[] = [];
  const questionFiles = papers.map((paper) => {
    const { file, checksums } = compiledFile(paper, wholePaper(paper), byName);
    for (const [position, question] of file.questions.entries())
      index.push(indexedQuestion(file, question, checksums[position]));
    return withDetails(file);
  });
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
    const name = fileName(file);
    validateResponse('QuestionFile', `${folder}/${name}`, file);
    const body = Buffer.from(JSON.stringify(file));
    return { file: name, mediaType: jsonType, body, total: file.total };
  });
  const owners = questionFiles.flatMap(({ questions, passages = [] }) => [
    ...questions,
    ...passages,
  ]);
  const served = owners.flatMap((owner) => [...diagramsOf<api.Diagram>(owner)]);
  const mediaTypes = new Map(served.map(({ file, mediaType }) => [file, mediaType]));
  for (const [index, { file }] of diagrams.entries()) {
    const mediaType = mediaTypes.get(file);
    if (mediaType === undefined) continue;
    const body = files.diagrams[index];
    if (!Buffer.isBuffer(body))
      throw new Error(`The diagram ${file} passed the checks but was not read.`);
    responses.push({
      file: `diagrams/${file}`,
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
    index,
  };
}

function indexedQuestion(
  { shift, subject }: api.QuestionFile,
  question: api.Question,
  checksum = '',
): api.IndexedQuestion {
  return inSchemaOrder('IndexedQuestion', { ...question, shift, subject, checksum });
}

/**
 * Validates a response against the API's schema before it is published.
 *
 * @param path of the URL, for the message
 * @throws Error when it does not conform: a defect of the build, which then publishes nothing
 */
export function validateResponse(name: ResourceName, path: string, response: unknown): void {
  const validate = validators[name];
  if (validate(response)) return;
  const [first] = validate.errors ?? [];
  throw new Error(
    `The response to /${path} is not the ${name} that the API describes: ${first?.instancePath} ${first?.message}.`,
  );
}

/**
 * Makes a public response.
 *
 * @param path its URL path
 * @param file in the public folder
 * @throws Error when it does not conform to the API's schema
 */
export function publicOutput(
  name: ResourceName,
  path: string,
  file: string,
  resource: unknown,
): Output {
  validateResponse(name, path, resource);
  return { path, file, mediaType: jsonType, body: Buffer.from(JSON.stringify(resource)) };
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
export function questionFile(...parameters: Parameters<typeof compiledFile>): api.QuestionFile {
  return compiledFile(...parameters).file;
}

/** @returns the resource, and the checksum of each of its questions */
function compiledFile(
  { exam, year, shift, subject }: bank.PaperPlace,
  { questions, passages = [], marking, lastUpdated }: written.SubjectFile,
  diagrams: ReadonlyMap<string, bank.DiagramFile>,
  language?: string,
): { readonly file: api.QuestionFile; readonly checksums: readonly string[] } {
  const used = new Set(questions.map(({ passage }) => passage));
  const servedPassages = passages
    .filter(({ id }) => used.has(id))
    .map((passage) => {
      const { diagrams: named = [] } = passage;
      return inSchemaOrder<api.Passage>('Passage', {
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
  // The canonical JSON of an array is that of its members, between commas.
  const texts = served.map(canonicalText);
  const file: api.QuestionFile = {
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
      checksum: checksumOfText(`[${texts.join(',')}]`),
    },
    passages: servedPassages.length > 0 ? servedPassages : undefined,
    marking: inSchemaOrder('Marking', marking),
    language,
  };
  return { file, checksums: texts.map(checksumOfText) };
}

function servedQuestion(
  question: written.Question,
  found: { readonly passage: api.Passage; readonly checksum: string } | undefined,
  marking: api.Marking | undefined,
  files: ReadonlyMap<string, bank.DiagramFile>,
): api.Question {
  const hasOwnDiagram = diagramsOf(question).next().done === false;
  return inSchemaOrder<api.Question>('Question', {
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
): api.Diagram {
  const image = files.get(file)?.image;
  if (!image || 'fault' in image)
    throw new Error(`The diagram ${file} passed the checks but is not an image.`);
  const { mediaType, width, height, sha256 } = image;
  return { file, alt, mediaType, width, height, checksum: shortChecksum(sha256) };
}
