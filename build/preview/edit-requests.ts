/** Requests of the editor. Only pages of this server may send them: others do not have its token. */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { maxImageBytes, maxJsonBytes, readBytes, shiftPath } from '../content/file.ts';
import { readImage } from '../content/image.ts';
import { Source } from '../content/positions.ts';
import type { PaperPlace } from '../content/types.ts';
import { create, fileText, forms, newPaper, papersOf } from '../new/files.ts';
import { writeFileAtomically } from '../release/files.ts';
import { UserError } from '../release/user-error.ts';
import type { LiveBank } from './bank.ts';
import { checkDraft } from './draft.ts';
import {
  type Edit,
  editedText,
  editSchema,
  type Item,
  isItem,
  listNames,
  parsePaper,
  versionOf,
} from './edit.ts';
import { paperUrl } from './paper.ts';

/** Below this path are the editor's pages and requests. It is no exam's code. */
export const editPath = '/-/edit/';

/** The largest JSON body. A question is a thousandth of it. */
const maxRequestBytes = 1024 * 1024;

/** The text of a file's id in an address: that of a question, as in the schema. */
const questionIdPattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;

/** A response to a request of the editor: JSON, with the sentence `error` if it failed. */
export interface EditResponse {
  readonly status: number;
  readonly body: object;
}

/** Ends a request with this status and sentence. */
class Refusal extends Error {
  readonly status: number;
  readonly details: object;

  constructor(status: number, message: string, details: object = {}) {
    super(message);
    this.status = status;
    this.details = details;
  }
}

/** The token of this start, and the function that responds to requests of pages that have it. */
export interface Editor {
  readonly token: string;
  /** @param path decoded, without query */
  readonly respond: (request: IncomingMessage, path: string) => Promise<EditResponse>;
}

/** Opens the editor of a bank. Its files are changed one after the other. */
export function openEditor(bank: LiveBank): Editor {
  const token = randomBytes(32).toString('base64url');
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(run: () => Promise<Result>): Promise<Result> => {
    const result = last.then(run, run);
    last = result;
    return result;
  };

  const actions: Readonly<Record<string, (request: IncomingMessage) => Promise<EditResponse>>> = {
    check: async (request) => {
      const { path, edit } = await editIn(request);
      if (!('item' in edit)) throw new Refusal(422, 'Only an edited question can be checked.');
      const { shift, place } = paperAt(bank, path);
      return ok(await checkDraft(bank, shift, place, bytesAt(bank, path), edit));
    },
    save: async (request) => {
      const { path, edit, base, id } = await editIn(request);
      const { place } = paperAt(bank, path);
      return inTurn(() => save(bank, place, edit, base, id));
    },
    diagram: async (request) => {
      const query = new URL(request.url ?? '', 'http://localhost').searchParams;
      const { place } = paperAt(bank, query.get('path'));
      const id = query.get('id') ?? '';
      if (!questionIdPattern.test(id))
        throw new Refusal(422, 'Give the question an id first: the name of a diagram contains it.');
      const bytes = await bodyOf(request, maxImageBytes);
      return inTurn(() => saveDiagram(bank, place, id, bytes));
    },
    paper: async (request) => {
      const value = await jsonOf(request);
      const names = ['exam', 'year', 'shift', 'subject'].map((name) => {
        const text = value[name];
        if (typeof text !== 'string' || text.includes('/'))
          throw new Refusal(422, `Choose the ${name} of the paper.`);
        return text;
      });
      return inTurn(() => createPaper(bank, names.join('/')));
    },
  };

  return {
    token,
    async respond(request, path) {
      try {
        const action = Object.entries(actions).find(([name]) => path === editPath + name)?.[1];
        if (!action) throw new Refusal(404, 'The editor has no such request.');
        requireOwnPage(request, token);
        const isImage = path === `${editPath}diagram`;
        const { 'content-type': type = '' } = request.headers;
        if (
          !(isImage ? /^image\/|^application\/octet-stream$/ : /^application\/json(?: *;|$)/).test(
            type,
          )
        )
          throw new Refusal(415, `The body must be ${isImage ? 'an image' : 'application/json'}.`);
        return await action(request);
      } catch (error) {
        if (error instanceof Refusal)
          return { status: error.status, body: { error: error.message, ...error.details } };
        if (error instanceof UserError) return { status: 422, body: { error: error.message } };
        const { code, syscall } = error as NodeJS.ErrnoException;
        if (code === undefined || syscall === undefined) throw error;
        return { status: 422, body: { error: `The file cannot be written (${code}).` } };
      }
    },
  };
}

function ok(body: object): EditResponse {
  return { status: 200, body };
}

/** @throws Refusal unless a page of this server, as it was started, sends the request */
function requireOwnPage({ headers }: IncomingMessage, token: string): void {
  const sent = Buffer.from(String(headers['x-preview-token'] ?? ''));
  const own = Buffer.from(token);
  const isOwn = sent.length === own.length && timingSafeEqual(sent, own);
  if (!isOwn || headers.origin?.toLowerCase() !== `http://${headers.host?.toLowerCase()}`)
    throw new Refusal(
      403,
      'Only the pages of this preview may change files. If it was restarted, reload the page.',
    );
}

/** Reads a body of limited size. The rest of a larger one is not kept. */
function bodyOf(request: IncomingMessage, limit: number): Promise<Buffer> {
  const tooLarge = () =>
    new Refusal(413, `This is too large. The limit is ${limit / 1024 / 1024} MB.`);
  if (Number(request.headers['content-length']) > limit) return Promise.reject(tooLarge());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= limit) return void chunks.push(chunk);
      chunks.length = 0;
      reject(tooLarge());
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', () => reject(new Refusal(400, 'The request ended early.')));
  });
}

async function jsonOf(request: IncomingMessage): Promise<Item> {
  const body = await bodyOf(request, maxRequestBytes);
  try {
    const value: unknown = JSON.parse(body.toString());
    if (isItem(value)) return value;
  } catch {
    // Reported below.
  }
  throw new Refusal(400, 'The body is not a JSON object.');
}

/** Reads an edit, whose item may break the schema. */
async function editIn(request: IncomingMessage) {
  const { path, base, id, edit } = await jsonOf(request);
  const found = editSchema.safeParse(edit);
  if (!found.success) throw new Refusal(422, 'This is not a change of a paper.');
  return { path, base, id, edit: found.data };
}

/** A paper that the content was found to have. */
function paperAt({ content }: LiveBank, path: unknown) {
  for (const shift of content.shifts) {
    const place = shift.papers.find((one) => one.path === path);
    if (place) return { shift, place };
  }
  throw new Refusal(404, 'The content folder has no such paper.');
}

function bytesAt({ contentDir }: LiveBank, path: unknown): Buffer {
  const bytes = readBytes(join(contentDir, String(path)), maxJsonBytes);
  if ('fault' in bytes) throw new Refusal(422, bytes.fault);
  return bytes;
}

/**
 * Saves an edit, unless the file has changed since the form was made.
 *
 * @param base the version of the file that the form was made from
 * @param id of the edited item as it was then, by which it is found in the changed file
 */
async function save(
  bank: LiveBank,
  place: PaperPlace & { readonly path: string },
  edit: Edit,
  base: unknown,
  id: unknown,
): Promise<EditResponse> {
  const bytes = bytesAt(bank, place.path);
  const { text, mark, value } = parsePaper(bytes);
  if (versionOf(bytes) !== base) {
    const message = 'The file has changed since you opened it here. Nothing was saved.';
    throw new Refusal(409, message, { base: versionOf(bytes), ...itemNow(value, text, edit, id) });
  }
  const edited = editedText(text, edit, place);
  const content = Buffer.from(mark + edited.text);
  if (content.length > maxJsonBytes)
    throw new Refusal(422, 'The file would be larger than a paper may be.');
  const file = join(bank.contentDir, place.path);
  if (edited.text !== text)
    await writeFileAtomically(file, content, { mode: (await stat(file)).mode });
  return ok({ base: versionOf(content), index: edited.index });
}

/** The edited item in a file that has changed meanwhile: its value, index and text, if it is still there. */
function itemNow(value: Item, text: string, edit: Edit, id: unknown) {
  if (edit.kind === 'details') {
    const details = Object.entries(value).filter(
      ([name]) => !listNames.some((one) => one === name),
    );
    const item = Object.fromEntries(details);
    return { item, written: JSON.stringify(item, undefined, 2) };
  }
  const items = value[edit.list];
  const list: readonly unknown[] = Array.isArray(items) ? items : [];
  if (edit.kind === 'insert') return { index: list.length };
  const index = list.findIndex((item) => isItem(item) && item['id'] === id);
  if (index < 0) return { index: list.length };
  const written = new Source(text).written(`/${edit.list}/${index}`);
  return { index, item: list[index], written };
}

/** Saves a diagram under the first free name that contains the id of its question. */
async function saveDiagram(
  bank: LiveBank,
  place: PaperPlace,
  id: string,
  bytes: Buffer,
): Promise<EditResponse> {
  const unnamed = readImage('image', bytes);
  const extension = 'extension' in unnamed ? unnamed.extension : undefined;
  if ('fault' in unnamed && extension === undefined) throw new Refusal(422, unnamed.fault);
  const folder = join(bank.contentDir, shiftPath(place), 'diagrams');
  for (let number = 1; ; number += 1) {
    const name = `${id}${number === 1 ? '' : `-${number}`}${extension}`;
    const file = join(folder, name);
    if (!(await create(file, bytes))) {
      const existing = readBytes(file, maxImageBytes);
      if (!Buffer.isBuffer(existing) || !existing.equals(bytes)) continue;
    }
    await bank.find();
    return ok({ file: name });
  }
}

/** Creates a paper as `pastpaper new` does. @param name `EXAM/YEAR/SHIFT/SUBJECT` @throws UserError for wrong names */
async function createPaper(bank: LiveBank, name: string): Promise<EditResponse> {
  const { contentDir } = bank;
  const [place] = papersOf(contentDir, forms.paper, name) as [PaperPlace];
  const file = newPaper(place, bank.now());
  if (!(await create(join(contentDir, file.path), fileText(contentDir, file))))
    throw new Refusal(409, 'This paper exists. Open it from the list of papers.');
  await bank.find();
  return ok({ url: `${editPath}${paperUrl(place).slice(1)}?question=1` });
}
