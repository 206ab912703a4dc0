/** The papers in files: of a mirror, or of a pack. */
import type { Read, Source } from './connection.ts';
import { PastpaperError, RequestFailed } from './errors.ts';

/**
 * Files that respond as a service does.
 *
 * @param name of the folder or pack, for messages
 * @param files the paths of papers, diagrams and metadata
 * @throws PastpaperError when there are no papers
 */
export function fileSource(
  name: string,
  files: readonly string[],
  readFile: (path: string) => Promise<Uint8Array>,
): Source {
  const paths = new Set(files);
  const papers = files.filter((path) => path.endsWith('.json') && !path.endsWith('/index.json'));
  if (papers.length === 0)
    throw new PastpaperError(
      'input',
      `${name} has no papers. Open the address of a service, the folder of a mirror, or a pack (.zip).`,
    );

  const yearsOf = (exam: string) => {
    const ofExam = papers.filter((path) => path.startsWith(`${exam}/`));
    return [...new Set(ofExam.map((path) => Number(path.split('/')[1])))].sort((a, b) => b - a);
  };

  /** The bytes of a resource; undefined if there is none. */
  async function bytesOf(path: string): Promise<Uint8Array | undefined> {
    for (const file of [path, `${path}/index.json`]) if (paths.has(file)) return readFile(file);
    const exams = new Set(papers.map((paper) => paper.split('/')[0] ?? ''));
    if (exams.has(path)) return jsonOf({ exam: path, years: yearsOf(path) });
    if (path !== 'exams.json') return undefined;
    const list = [...exams].sort().map((exam) => {
      return { exam, label: exam, years: yearsOf(exam), url: `/${exam}` };
    });
    return jsonOf({ exams: list });
  }

  return {
    urlOf: (path) => `${name}: ${path}`,
    async get<Value>(path: string, read: Read<Value>) {
      const bytes = await bytesOf(path);
      try {
        return bytes && read(bytes);
      } catch (error) {
        if (!(error instanceof RequestFailed)) throw error;
        throw new PastpaperError(
          'damaged',
          `${name}: ${path}: ${error.message.replace('response', 'file')}. Run sync again.`,
        );
      }
    },
  };
}

function jsonOf(value: object): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}
