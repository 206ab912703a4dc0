import {
  createServer,
  type IncomingHttpHeaders,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { zipSync } from 'fflate';
import { serveLocally } from '../../free-port.ts';
import { canonicalJson, checksum } from '../canonical-json.ts';

/** A server with configurable responses, such as no build would publish and no gateway would send. */
export interface FakeService {
  readonly url: string;
  /** The received requests, in order. */
  readonly requests: { readonly path: string; readonly headers: IncomingHttpHeaders }[];
  /** Sets the response of a path: a value that is sent as JSON, or a function. */
  respond(path: string, content: object | ((response: ServerResponse) => void)): void;
  close(): Promise<void>;
}

export async function startFakeService(): Promise<FakeService> {
  const contents = new Map<string, object>();
  const requests: FakeService['requests'] = [];
  const listener: RequestListener = ({ url: path = '', headers }, response) => {
    requests.push({ path, headers });
    const content = contents.get(path);
    if (typeof content === 'function') return content(response);
    response.writeHead(content ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(content ?? { error: 'File not found' }));
  };
  const server = await serveLocally(createServer(listener));
  return { ...server, requests, respond: (path, content) => void contents.set(path, content) };
}

const shift = '2024-05-05-s1';

/** The bytes of the diagram. */
const drawing = '<svg xmlns="http://www.w3.org/2000/svg"/>';

/** Changes to a bank of one paper and one diagram. */
interface FakeBank {
  readonly shift?: unknown;
  readonly subject?: unknown;
  readonly file?: unknown;
  /** Fields of the question. */
  readonly question?: Readonly<Record<string, unknown>>;
  /** The text of the question file. */
  readonly paper?: string | Buffer;
}

/** Makes a service serve a bank with correct checksums, whatever its names are. */
export function serveBank(service: FakeService, made: FakeBank = {}): void {
  const name = { shift, subject: 'physics', file: 'q1-drawing.svg', ...made };
  const questions = [
    { id: 'q1', diagrams: [{ file: name.file, checksum: checksum(drawing) }], ...made.question },
  ];
  const ofPaper = checksum(canonicalJson(questions));
  const ofShift = checksum(canonicalJson({ [inPath(name.subject)]: ofPaper }));
  const year = { exam: 'neet', year: 2024 };
  service.respond('/neet', { exam: 'neet', years: [2024] });
  service.respond('/neet/2024', {
    ...year,
    shifts: [{ shift: name.shift, subjects: [name.subject], checksum: ofShift }],
  });
  const place = { ...year, shift: name.shift, subject: name.subject };
  const paper = JSON.stringify({ ...place, questions, metadata: { checksum: ofPaper } });
  const folder = `neet/2024/${inPath(name.shift)}`;
  const pack = zipSync({
    [`${folder}/${inPath(name.subject)}.json`]: Buffer.from(made.paper ?? paper),
    [`${folder}/diagrams/${inPath(name.file)}`]: Buffer.from(drawing),
  });
  service.respond(`/${folder}.zip`, (response) => response.end(pack));
}

function inPath(name: unknown): string {
  return typeof name === 'string' ? name : JSON.stringify(name);
}
