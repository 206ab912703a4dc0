/**
 * `dist/changes.json`: what each release changed in the papers, as a JSON Feed (version 1.1). It names questions and
 * fields; texts and answers are protected. It is beside the releases, because a release has no dates.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomically } from './files.ts';
import type { Release } from './read.ts';
import type { ShiftFile, StoredObject } from './root.ts';
import { DamagedRelease, yearsOf } from './root.ts';
import { changesPath } from './urls.ts';

export const changesFile = changesPath;

/** How the feed is named. What is missing stays as it is. */
export interface Feed {
  /** The name of the bank. */
  readonly title?: string;
  /** The origin of the API. */
  readonly origin?: string | undefined;
}

/** What a release changed in a paper, or in a translation of it. */
interface PaperChanges {
  readonly exam: string;
  readonly year: number;
  readonly shift: string;
  readonly subject: string;
  /** Of a translation, BCP 47. */
  readonly language?: string;
  /** Ids, or how many. */
  readonly added: readonly string[] | number;
  readonly removed: readonly string[] | number;
  /** Those whose answer changed first. */
  readonly changed: readonly QuestionChange[] | number;
}

interface QuestionChange {
  readonly id: string;
  /** The fields that differ. */
  readonly fields: readonly string[];
}

interface Item {
  readonly id: string;
  readonly title: string;
  readonly content_text: string;
  /** ISO 8601, UTC. */
  readonly date_published: string;
  readonly _pastpaper: { readonly release: string; readonly papers: readonly PaperChanges[] };
}

/** How many releases the feed has. */
const mostItems = 100;

/** A release that changed more questions than this lists counts. */
const mostListed = 1000;

/**
 * Adds an item to `changes.json`.
 *
 * @param before the current release; undefined: there is none, so all questions are new
 * @param at ISO 8601, UTC
 * @throws the file system's own error
 */
export async function addChanges(
  distDir: string,
  feed: Feed,
  before: Release | undefined,
  after: Release,
  at: string,
): Promise<void> {
  const file = join(distDir, changesFile);
  const known = await readFile(file, 'utf8')
    .then(JSON.parse)
    .catch(() => ({}));
  const { title = known.title ?? 'Pastpaper', origin } = feed;
  const earlier: readonly Item[] = Array.isArray(known.items) ? known.items : [];
  const papers = await changedPapers(before, after);
  const item: Item = {
    id: `${after.root.id} ${at}`,
    title: before ? summaryOf(papers) : 'First release',
    content_text: papers.map(sentenceOf).join('\n') || 'No question changed.',
    date_published: at,
    _pastpaper: { release: after.root.id, papers },
  };
  const urls = origin && {
    home_page_url: `${origin}/docs/`,
    feed_url: `${origin}/${changesPath}`,
  };
  const changes = {
    version: 'https://jsonfeed.org/version/1.1',
    title,
    ...(urls || { home_page_url: known.home_page_url, feed_url: known.feed_url }),
    items: [item, ...earlier].slice(0, mostItems),
  };
  await writeFileAtomically(file, JSON.stringify(changes));
}

/** The path of a question file in a year. */
const paperPath = /^(?<shift>[^/]+)\/(?<subject>[^./]+)(?:\.(?<language>[^./]+))?\.json$/;

/**
 * Compares two releases. Only years and papers that differ are read.
 *
 * @param before undefined: there is none
 */
async function changedPapers(
  before: Release | undefined,
  after: Release,
): Promise<readonly PaperChanges[]> {
  const pairs: Pair[] = [];
  const roots = [after.root, ...(before ? [before.root] : [])];
  const years = roots.flatMap((root) => [...yearsOf(root)]);
  const places = new Map(years.map((one) => [`${one.exam}/${one.year}`, one]));
  for (const { exam, year } of places.values()) {
    const indexes = [before, after].map((release) => release?.root.years[exam]?.[year]);
    if (indexes[0]?.sha256 === indexes[1]?.sha256) continue;
    const old = await filesOf(before, indexes[0]);
    const now = await filesOf(after, indexes[1]);
    for (const path of [...new Set([...old.keys(), ...now.keys()])].sort()) {
      const { shift, subject, language } = paperPath.exec(path)?.groups ?? {};
      const [one, other] = [old.get(path), now.get(path)];
      const isSame = one?.identity.sha256 === other?.identity.sha256;
      if (shift === undefined || subject === undefined || isSame) continue;
      const place = { exam, year: Number(year), shift, subject, ...(language && { language }) };
      pairs.push({ place, old: one, now: other });
    }
  }
  const counts = pairs.map(countsIfWhole);
  const isLarge = counts.reduce((sum, one) => sum + (one ? numberOf(one) : 0), 0) > mostListed;
  const papers: PaperChanges[] = [];
  for (const [index, { place, old, now }] of pairs.entries()) {
    const known = isLarge ? counts[index] : undefined;
    const changes = known ?? (await compareQuestions(before, old, after, now));
    if (numberOf(changes) > 0) papers.push({ ...place, ...changes });
  }
  const number = papers.reduce((sum, paper) => sum + numberOf(paper), 0);
  return number > mostListed ? papers.map(counted) : papers;
}

/** A paper of two releases. One of them may not have it. */
interface Pair {
  readonly place: Pick<PaperChanges, 'exam' | 'year' | 'shift' | 'subject' | 'language'>;
  readonly old: ShiftFile | undefined;
  readonly now: ShiftFile | undefined;
}

/**
 * The counts of a paper that only one of the releases has: it need not be read. Undefined if both have it, or if the
 * year index does not say how many questions it has.
 */
function countsIfWhole({ old, now }: Pair): Changes | undefined {
  const total = old && now ? undefined : (old ?? now)?.total;
  if (total === undefined) return undefined;
  return { added: now ? total : 0, removed: old ? total : 0, changed: 0 };
}

/** The files of a year, by their paths; none if the year is missing, or its index is damaged. */
async function filesOf(
  release: Release | undefined,
  index: StoredObject | undefined,
): Promise<Map<string, ShiftFile>> {
  const found = index && (await release?.readYear(index).catch(unlessDamaged));
  const shifts = Object.entries(found?.shifts ?? {});
  return new Map(
    shifts.flatMap(([shift, files]) =>
      Object.entries(files).map(([name, file]) => [`${shift}/${name}`, file] as const),
    ),
  );
}

type Changes = Pick<PaperChanges, 'added' | 'removed' | 'changed'>;

/** Bodies are read only of a paper that both releases have. */
async function compareQuestions(
  before: Release | undefined,
  old: ShiftFile | undefined,
  after: Release,
  now: ShiftFile | undefined,
): Promise<Changes> {
  const first = await questionsOf(before, old);
  const second = await questionsOf(after, now);
  const changed: QuestionChange[] = [];
  for (const [id, question] of second) {
    const earlier = first.get(id);
    if (!earlier) continue;
    const names = new Set([...Object.keys(earlier), ...Object.keys(question)]);
    const fields = [...names].filter(
      (name) => JSON.stringify(earlier[name]) !== JSON.stringify(question[name]),
    );
    if (fields.length > 0) changed.push({ id, fields });
  }
  return {
    added: [...second.keys()].filter((id) => !first.has(id)),
    removed: [...first.keys()].filter((id) => !second.has(id)),
    changed: [...changed.filter(hasNewAnswer), ...changed.filter((one) => !hasNewAnswer(one))],
  };
}

const answerFields = new Set(['answer', 'accepted', 'dropped']);

function hasNewAnswer({ fields }: QuestionChange): boolean {
  return fields.some((field) => answerFields.has(field));
}

type Questions = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

async function questionsOf(
  release: Release | undefined,
  file: ShiftFile | undefined,
): Promise<Questions> {
  const text =
    file && release && (await readFile(release.pathOf(file.identity), 'utf8').catch(() => ''));
  const { questions } = text ? JSON.parse(text) : { questions: [] };
  return new Map(questions.map((question: { readonly id: string }) => [question.id, question]));
}

function counted(paper: PaperChanges): PaperChanges {
  const { added, removed, changed } = paper;
  return { ...paper, added: size(added), removed: size(removed), changed: size(changed) };
}

function size(list: readonly unknown[] | number): number {
  return typeof list === 'number' ? list : list.length;
}

function numberOf({ added, removed, changed }: Changes): number {
  return size(added) + size(removed) + size(changed);
}

function summaryOf(papers: readonly PaperChanges[]): string {
  const parts = (['changed', 'added', 'removed'] as const).flatMap((kind) => {
    const number = papers.reduce((sum, paper) => sum + size(paper[kind]), 0);
    return number > 0 ? `${number} ${kind}` : [];
  });
  return parts.length > 0 ? `Questions: ${parts.join(', ')}` : 'No question changed';
}

function sentenceOf(paper: PaperChanges): string {
  const { exam, year, shift, subject, language, changed } = paper;
  const name = `${exam}/${year}/${shift}/${subject}${language ? ` (${language})` : ''}`;
  const answers = typeof changed === 'number' ? [] : changed.filter(hasNewAnswer);
  const first = answers.map(({ id }) => id).join(', ');
  return `${name}: ${first && `answer of ${first}; `}${summaryOf([paper])}.`;
}

function unlessDamaged(error: unknown): undefined {
  if (!(error instanceof DamagedRelease)) throw error;
}
