import { bytesOf } from '../../../build/bank-folder.ts';
import { everyFieldFiles } from '../../../build/every-field.ts';
import { filesBelow } from '../../../build/release-folder.ts';
import { sampleContentDir } from '../../../content/sample-bank.ts';

/** The files of a content folder: bytes by path. */
export type Bank = ReadonlyMap<string, Buffer>;

/**
 * Parts of the sample bank, each a complete bank: one for each shift, and one for each paper. After each one comes a bank
 * with every field.
 */
export async function sampleBanks(): Promise<readonly Bank[]> {
  const all = [...(await filesBelow(sampleContentDir))];
  const shifts = new Set(
    all.filter(([path]) => isPaper(path)).map(([path]) => path.slice(0, path.lastIndexOf('/'))),
  );
  const entries = Object.entries(everyFieldFiles).map(
    ([path, content]) => [path, Buffer.from(bytesOf(content))] as const,
  );
  const withEveryField: Bank = new Map(entries);
  return [...shifts].flatMap((shift) => {
    const exam = `${shift.split('/')[0]}/exam.json`;
    const ofShift = all.filter(([path]) => path === exam || path.startsWith(`${shift}/`));
    const papers = ofShift.filter(([path]) => isPaper(path));
    const ofPapers = papers.map(([paper]) => {
      const { subject } = nameOf(paper);
      return ofShift.filter(
        ([path]) =>
          path === exam || path === paper || (isDiagram(path) && path.includes(`-${subject}-`)),
      );
    });
    return [ofShift, ...ofPapers].flatMap((files) => [new Map(files), withEveryField]);
  });
}

/** `<exam>/<year>/<shift>/<subject>.json`, without `shift.json`; hidden files are not content. */
export function isPaper(path: string): boolean {
  return /^[^/]+\/[^/]+\/[^/]+\/(?!shift\.json)[^/.]*\.json$/.test(path) && !isHidden(path);
}

/** `<exam>/<year>/<shift>/<subject>.<language>.json` */
export function isTranslation(path: string): boolean {
  return /^[^/]+\/[^/]+\/[^/]+\/[^/.]*\.[^/]*\.json$/.test(path) && !isHidden(path);
}

/** The subject of a paper or translation, and the language of a translation. */
export function nameOf(path: string): { readonly subject: string; readonly language: string } {
  const [subject = '', ...language] = path
    .slice(path.lastIndexOf('/') + 1, -'.json'.length)
    .split('.');
  return { subject, language: language.join('.') };
}

/** `<exam>/<year>/<shift>/diagrams/<file>` */
export function isDiagram(path: string): boolean {
  const parts = path.split('/');
  return parts.length === 5 && parts[3] === 'diagrams' && !isHidden(path);
}

function isHidden(path: string): boolean {
  return path.split('/').some((part) => part.startsWith('.'));
}
