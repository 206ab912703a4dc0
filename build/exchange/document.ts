/** Reads Word, OpenDocument, LaTeX, HTML and Markdown with pandoc, a program of the system. */
import { execFile } from 'node:child_process';
import { extname } from 'node:path';
import bounds from '../content/bounds.json' with { type: 'json' };
import { UserError } from '../release/user-error.ts';
import { textOf } from './html.ts';
import type { Item } from './item.ts';
import { plainTextItems } from './plain-text.ts';
import { parseHtml, type Source } from './source.ts';

/** What pandoc calls the formats of files. */
const readers: Readonly<Record<string, string>> = {
  '.docx': 'docx',
  '.odt': 'odt',
  '.tex': 'latex',
  '.latex': 'latex',
  '.html': 'html+tex_math_dollars+tex_math_single_backslash',
  '.htm': 'html+tex_math_dollars+tex_math_single_backslash',
  '.md': 'markdown+hard_line_breaks+tex_math_single_backslash',
  '.markdown': 'markdown+hard_line_breaks+tex_math_single_backslash',
  '.rtf': 'rtf',
};

/** Whether pandoc reads files with this name. */
export function isDocument(file: string): boolean {
  return Object.hasOwn(readers, extname(file).toLowerCase());
}

/**
 * Reads the questions of a document: pandoc converts it to HTML, in which equations are TeX, and the reader of plain text
 * finds questions, options and answers.
 *
 * @param bytes of the file
 * @throws UserError if pandoc is missing or cannot read the file
 */
export async function documentItems(
  file: string,
  bytes: Uint8Array,
  source: Source,
): Promise<{ items: Item[]; notes: string[] }> {
  const format = readers[extname(file).toLowerCase()] ?? '';
  const input =
    format === 'latex' ? Buffer.from(examClass(Buffer.from(bytes).toString('utf8'))) : bytes;
  const html = await pandoc(file, format, input);
  const losses = new Set<string>();
  const alts = new Map<string, string>();
  const context = {
    image: (path: string, alt: string) => {
      // A name that Markdown reads as one; the text is read again before images are.
      const name = encodeURI(path).replace(/[()]/g, encodeURIComponent);
      // What pandoc writes for a picture of LaTeX, which has no description.
      alts.set(name, format === 'latex' && alt === 'image' ? '' : alt);
      return name;
    },
    lose: (what: string) => losses.add(what),
  };
  const { items, notes } = plainTextItems(textOf(parseHtml(html, bounds.importElements), context));
  const folder = /^(?:docx)$/.test(format) ? 'word/' : '';
  const image = (path: string) =>
    source.read(folder + decodeURI(path)) ?? source.read(decodeURI(path));
  const alt = (path: string) => alts.get(path) ?? '';
  return {
    items: items.map((item) => ({ ...item, image, alt })),
    notes: [
      ...openDocumentLosses(source, html),
      ...notes,
      ...Array.from(losses, (loss) => `In the document: ${loss}.`),
    ],
  };
}

/** What pandoc leaves out of OpenDocument without a word. */
function openDocumentLosses(source: Source, html: string): string[] {
  const formulas = source.paths.filter((path) => {
    const bytes = /^[^/]+\/content\.xml$/.test(path) ? source.read(path) : undefined;
    return bytes && /<(?:\w+:)?math[\s>]/.test(Buffer.from(bytes).toString('utf8'));
  }).length;
  const shown = html.split('class="math').length - 1;
  const tables = (text: string, tag: string) => text.split(tag).length - 1;
  const content = source.paths.includes('content.xml') ? source.read('content.xml') : undefined;
  const written = tables(Buffer.from(content ?? []).toString('utf8'), '<table:table ');
  const lost = [
    ...(formulas > shown ? [`${formulas - shown} equations`] : []),
    ...(written > tables(html, '<table') ? [`${written - tables(html, '<table')} tables`] : []),
  ];
  return lost.length > 0
    ? [
        `pandoc leaves out ${lost.join(' and ')} of this file. Save it as Word (.docx), and import that.`,
      ]
    : [];
}

const mostMilliseconds = 120_000;

/** Without access to other files: LaTeX and HTML may refer to any. */
function pandoc(file: string, format: string, input: Uint8Array): Promise<string> {
  const args = [
    '--sandbox',
    '--from',
    format,
    '--to',
    'html',
    '--mathjax',
    '--wrap=none',
    '--no-highlight',
  ];
  const options = { maxBuffer: bounds.importReadBytes, timeout: mostMilliseconds };
  return new Promise((resolve, reject) => {
    const child = execFile('pandoc', args, options, (error, stdout, stderr) => {
      if (!error) return resolve(stdout);
      if ((error as NodeJS.ErrnoException).code === 'ENOENT')
        return reject(
          new UserError(
            `${file} needs pandoc, which is not installed. Install it with "apt install pandoc" or ` +
              '"brew install pandoc", or from https://pandoc.org/installing.html.',
          ),
        );
      reject(
        new UserError(
          `pandoc cannot read ${file}: ${stderr.trim().split('\n')[0] || error.message}`,
        ),
      );
    });
    // pandoc ends without reading all of a damaged file.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}

/** The commands of LaTeX's exam class as lists, which pandoc knows. */
function examClass(tex: string): string {
  return tex
    .replace(/\\(begin|end)\{(?:questions|parts)\}/g, '\\$1{enumerate}')
    .replace(
      /\\begin\{(?:oneparchoices|choices|checkboxes|oneparcheckboxes)\}/g,
      '\\begin{enumerate}[A.]',
    )
    .replace(/\\end\{(?:oneparchoices|choices|checkboxes|oneparcheckboxes)\}/g, '\\end{enumerate}')
    .replace(/\\CorrectChoice\b/g, '\\item \u2713 ')
    .replace(/\\(?:question|part|choice)\b(?:\[[^\]]*\])?/g, '\\item ')
    .replace(/\\(begin|end)\{solution\}(?:\[[^\]]*\])?/g, (_, edge: string) =>
      edge === 'begin' ? '\n\nSolution: ' : '\n\n',
    );
}
