import { join } from 'node:path';
import { type FoundContent, placeOf, type ShiftFolder } from '../content/find.ts';
import { readDiagram } from '../content/image.ts';
import type { DiagramFile, PaperPlace } from '../content/types.ts';
import type { CheckedBank, LiveBank } from './bank.ts';
import { document, errorPage, type PageAssets, type PageParts } from './document.ts';
import { bySubject, indexPage } from './index-page.ts';
import { type ReadPaper, readPaper } from './paper.ts';
import { paperPage } from './paper-page.ts';

export interface Page {
  readonly status: number;
  /** HTML. */
  readonly text: string;
}

/** Renders the pages from the current content. */
export class Pages {
  readonly #live: LiveBank;
  readonly #assets: PageAssets;
  /** The git ref that the listed changes are relative to. */
  readonly #ref: string | undefined;

  constructor(live: LiveBank, assets: PageAssets, ref: string | undefined) {
    this.#live = live;
    this.#assets = assets;
    this.#ref = ref;
  }

  /** @param path decoded, without query */
  async page(path: string): Promise<Page> {
    if (path === '/') return this.#render(200, this.#index());
    for (const shift of this.#live.bank.content.shifts) {
      const { exam, year, shift: name } = shift;
      const paper = shift.papers.find(({ subject }) => `/${exam}/${year}/${name}/${subject}` === path);
      if (paper) return this.#render(200, await this.#paper(shift, paper));
    }
    return this.error(404, 'There is no such paper', `The content folder has no paper for ${path}.`);
  }

  error(status: number, title: string, reason: string): Page {
    return this.#render(status, errorPage(title, reason));
  }

  #render(status: number, parts: PageParts): Page {
    const { version, warning } = this.#live;
    return { status, text: document(parts, { assets: this.#assets, version, warning }) };
  }

  #index(): PageParts {
    const { bank, changed } = this.#live;
    const { content, exams, report } = bank;
    const listed = changed && new Set([...changed, ...papersWith(bank, changed)]);
    const done = content.shifts.filter((shift) => bank.questions(shift)).length;
    return indexPage({
      ...{ content, exams, questions: (shift) => bank.questions(shift) },
      title: this.#ref === undefined ? 'All papers' : `Changed since ${this.#ref}`,
      diagnostics: report?.diagnostics ?? [],
      isListed: (path) => listed?.has(path) ?? true,
      summary: changed ? undefined : report?.summary,
      progress: report ? undefined : { done, total: content.shifts.length },
      removed: removedFiles(content, changed ?? []),
    });
  }

  async #paper(shift: ShiftFolder, place: PaperPlace & { readonly path: string }): Promise<PageParts> {
    const { bank } = this.#live;
    const { contentDir, exams, report } = bank;
    const exam = exams.find(({ code }) => code === place.exam)?.content;
    const others = shift.papers.filter(({ path }) => path !== place.path);
    return paperPage({
      ...{ place, path: place.path, label: exam?.label ?? place.exam },
      papers: bySubject(shift.papers, exam?.subjects ?? []),
      paper: readPaper(contentDir, place.path),
      diagrams: diagramsOf(contentDir, shift),
      elsewhere: new Set(others.flatMap(({ path }) => diagramNames(readPaper(contentDir, path)))),
      diagnostics: (report ?? (await bank.checkShift(shift))).diagnostics,
      isCompared: report !== undefined,
    });
  }
}

function diagramsOf(
  contentDir: string,
  { diagrams, exam, year, shift }: ShiftFolder,
): Map<string, DiagramFile> {
  return new Map(
    diagrams.map(({ path, file }) => [
      file,
      { path, exam, year, shift, file, image: readDiagram(join(contentDir, path), file) },
    ]),
  );
}

function diagramNames({ questions }: ReadPaper): string[] {
  return questions.flatMap(({ diagrams }) => diagrams.map(({ file }) => file));
}

/** The papers whose questions have one of these diagrams. */
function papersWith({ content, contentDir }: CheckedBank, paths: ReadonlySet<string>): string[] {
  return content.shifts.flatMap(({ papers, diagrams }) => {
    const names = new Set(diagrams.filter(({ path }) => paths.has(path)).map(({ file }) => file));
    if (names.size === 0) return [];
    return papers
      .map(({ path }) => path)
      .filter((path) => diagramNames(readPaper(contentDir, path)).some((name) => names.has(name)));
  });
}

/** Changed papers, exam files and diagrams that no longer exist. */
function removedFiles({ exams, shifts }: FoundContent, changed: Iterable<string>): string[] {
  const files = [...exams, ...shifts.flatMap(({ papers, diagrams }) => [...papers, ...diagrams])];
  const existing = new Set(files.map(({ path }) => path));
  return [...changed].filter((path) => placeOf(path).kind !== 'stray' && !existing.has(path));
}
