import type { Random } from '../../random.ts';
import { isDiagram, isPaper } from '../bank.ts';
import { mutateBytes } from './bytes.ts';
import { randomImage } from './images.ts';

type Files = Map<string, Buffer>;

/** Adds, removes and renames files, and changes images. */
export function mutateFiles(random: Random, files: Files): void {
  const paths = [...files.keys()];
  const path = random.pick(paths);
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const papers = paths.filter(isPaper);
  const diagrams = paths.filter(isDiagram);
  const bytes = files.get(path) ?? Buffer.alloc(0);
  const change = random.weighted<() => void>([
    [3, () => void files.delete(path)],
    [3, () => move(files, path, `${folder}${random.pick(names)}`)],
    [2, () => void files.set(`${folder}${random.pick(names)}`, bytes)],
    [
      2,
      () => void files.set(`${random.pick(['', 'neet/', 'neet/2024/', 'x/'])}${random.pick(names)}`, bytes),
    ],
    [1, () => papers.length > 0 && move(files, random.pick(papers), `${folder}${random.pick(names)}`)],
    [6, () => diagrams.length > 0 && void files.set(random.pick(diagrams), randomImage(random))],
    [3, () => diagrams.length > 0 && changeDiagram(random, files, random.pick(diagrams))],
    [1, () => diagrams.length > 0 && move(files, random.pick(diagrams), `${folder}${random.pick(names)}`)],
    [1, () => void files.set(`${folder}diagrams/${random.pick(names)}`, randomImage(random))],
    [2, () => void files.set('exceptions.json', Buffer.from(random.pick(exceptions)))],
  ]);
  change();
}

function move(files: Files, from: string, to: string): void {
  const bytes = files.get(from);
  files.delete(from);
  if (bytes) files.set(to, bytes);
}

function changeDiagram(random: Random, files: Files, path: string): void {
  files.set(path, mutateBytes(random, files.get(path) ?? Buffer.alloc(0)));
}

const names = [
  'physics.json',
  'chemistry.json',
  'biology.json',
  'mathematics.json',
  'history.json',
  'Physics.json',
  'physics.hi.json',
  'physics.en.json',
  'physics.hindi.json',
  'physics.zh-hant.json',
  'physics.zh-Hant.json',
  'physics..json',
  'physics.hi.en.json',
  'chemistry.hi.json',
  'physics.JSON',
  'physics.json.bak',
  'physics',
  '.json',
  '.hidden',
  '.hidden.json',
  'exam.json',
  'exceptions.json',
  'diagrams',
  'diagrams.json',
  'a b.json',
  'é.json',
  'e\u0301.json',
  '%2e.json',
  '__proto__.json',
  'constructor.json',
  'toString',
  'x.png',
  'x.svg',
  '~',
  'con',
  'a\\b',
  '*',
  '{a,b}.json',
  '[a].json',
  '!x',
  '(x).json',
  'x'.repeat(200),
  "'.json",
  '$.json',
  '&.json',
  '#.json',
  '?.json',
  ' .json',
  'physics .json',
  'schema',
  'README.md',
  'Thumbs.db',
];

const exceptions = [
  '',
  '{}',
  '[]',
  'null',
  '{"exceptions": []}',
  '{"exceptions": [{}]}',
  '{"exceptions": null}',
  '{"exceptions": [{"rule": "nfc", "file": "neet/exam.json", "pointer": "/label", "reason": "x"}]}',
  '{"exceptions": [{"rule": "x", "file": "x", "pointer": "", "reason": "x"}]}',
  '{"exceptions": [{"rule": "unique-ids", "file": "x", "pointer": "", "reason": "x"}]}',
  '{"exceptions": [{"rule": "html", "file": "../x", "pointer": "x", "reason": ""}]}',
  '{"exceptions": [{"rule": "__proto__", "file": "__proto__", "pointer": "/__proto__", "reason": "x"}]}',
];
