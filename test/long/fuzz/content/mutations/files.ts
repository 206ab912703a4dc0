import type { Draw } from '../../draw.ts';
import { isDiagram, isPaper } from '../bank.ts';
import { mutateBytes } from './bytes.ts';
import { randomImage } from './images.ts';
import pieces from './pieces.json' with { type: 'json' };

const { exceptions } = pieces.files;
const names = [...pieces.files.names, 'x'.repeat(200)];

type Files = Map<string, Buffer>;

/** Adds, removes and renames files, and changes images. */
export function mutateFiles(draw: Draw, files: Files): void {
  const paths = [...files.keys()];
  const path = draw.pick(paths);
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const papers = paths.filter(isPaper);
  const diagrams = paths.filter(isDiagram);
  const bytes = files.get(path) ?? Buffer.alloc(0);
  const change = draw.weighted<() => void>([
    [3, () => void files.delete(path)],
    [3, () => move(files, path, `${folder}${draw.pick(names)}`)],
    [2, () => void files.set(`${folder}${draw.pick(names)}`, bytes)],
    [2, () => void files.set(`${draw.pick(['', 'neet/', 'neet/2024/', 'x/'])}${draw.pick(names)}`, bytes)],
    [1, () => papers.length > 0 && move(files, draw.pick(papers), `${folder}${draw.pick(names)}`)],
    [6, () => diagrams.length > 0 && void files.set(draw.pick(diagrams), randomImage(draw))],
    [3, () => diagrams.length > 0 && changeDiagram(draw, files, draw.pick(diagrams))],
    [1, () => diagrams.length > 0 && move(files, draw.pick(diagrams), `${folder}${draw.pick(names)}`)],
    [1, () => void files.set(`${folder}diagrams/${draw.pick(names)}`, randomImage(draw))],
    [2, () => void files.set('exceptions.json', Buffer.from(draw.pick(exceptions)))],
  ]);
  change();
}

function move(files: Files, from: string, to: string): void {
  const bytes = files.get(from);
  files.delete(from);
  if (bytes) files.set(to, bytes);
}

function changeDiagram(draw: Draw, files: Files, path: string): void {
  files.set(path, mutateBytes(draw, files.get(path) ?? Buffer.alloc(0)));
}
