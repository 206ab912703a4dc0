import type { Draw } from '../draw.ts';
import { type Bank, isPaper, isTranslation } from './bank.ts';
import { objectOf } from './model/content.ts';
import { mutateBytes } from './mutations/bytes.ts';
import { mutateFiles } from './mutations/files.ts';
import { mutateFolders } from './mutations/folders.ts';
import { editQuestions } from './mutations/questions.ts';
import { mutateText } from './mutations/texts.ts';
import { mutateTokens } from './mutations/tokens.ts';
import { mutateValue, placesIn } from './mutations/values.ts';

/** Returns the bank with a few mutations of bytes, JSON tokens, values, questions, texts, files or folders. */
export function mutateBank(draw: Draw, bank: Bank): Bank {
  const files = new Map(bank);
  for (
    let times = draw.weighted([
      [6, 1],
      [3, 2],
      [1, 4],
    ]);
    times > 0 && files.size > 0;
    times -= 1
  ) {
    const change = draw.weighted<(draw: Draw, files: Map<string, Buffer>) => void>([
      [30, inPaper((value) => void editQuestions(draw, value as object))],
      [20, inJson((bytes) => bytesOf(mutateValue(draw, objectOf(bytes) ?? {})))],
      [10, inJson((bytes) => bytesOf(mutateTextIn(draw, objectOf(bytes) ?? {})))],
      [8, inJson((bytes) => Buffer.from(mutateTokens(draw, bytes.toString())))],
      [6, inJson((bytes) => mutateBytes(draw, bytes))],
      [14, mutateFiles],
      [8, mutateFolders],
    ]);
    change(draw, files);
  }
  return files;
}

/** Changes a JSON file, usually a paper. */
function inJson(change: (bytes: Buffer) => Buffer) {
  return (draw: Draw, files: Map<string, Buffer>): void => {
    const all = [...files.keys()].filter((path) => path.endsWith('.json'));
    const papers = all.filter((path) => isPaper(path) || isTranslation(path));
    if (all.length === 0) return;
    const path = draw.pick(papers.length > 0 && draw.chance(0.85) ? papers : all);
    files.set(path, change(files.get(path) ?? Buffer.alloc(0)));
  };
}

function inPaper(change: (value: unknown) => void) {
  return inJson((bytes) => {
    const value = objectOf(bytes);
    if (!value) return bytes;
    change(value);
    return bytesOf(value);
  });
}

function mutateTextIn(draw: Draw, value: unknown): unknown {
  const places = placesIn(value).filter(({ holder, name }) => typeof holder[name] === 'string');
  if (places.length === 0) return value;
  const { holder, name } = draw.pick(places);
  holder[name] = mutateText(draw, String(holder[name]));
  return value;
}

function bytesOf(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, undefined, 2) ?? 'undefined'}\n`);
}
