import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { canonicalJson, checksum } from '../build/canonical-json.ts';

/** A server that answers as a test says: what no build would publish, and no gateway would send. */
export interface MadeService {
  readonly url: string;
  /** What came, in order. */
  readonly requests: { readonly path: string; readonly headers: IncomingHttpHeaders }[];
  /** Answers with a value as JSON, or as a function does. */
  answer(path: string, answer: object | ((response: ServerResponse) => void)): void;
  close(): Promise<void>;
}

export async function makeService(): Promise<MadeService> {
  const answers = new Map<string, object>();
  const requests: MadeService['requests'] = [];
  const listener: RequestListener = ({ url: path = '', headers }, response) => {
    requests.push({ path, headers });
    const answer = answers.get(path);
    if (typeof answer === 'function') return answer(response);
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? { error: 'File not found' }));
  };
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    answer: (path, answer) => void answers.set(path, answer),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const shift = '2024-05-05-s1';

/** What a test may have otherwise than in a bank of one paper and one diagram. */
export interface MadeBank {
  readonly shift?: unknown;
  readonly subject?: unknown;
  readonly file?: unknown;
  /** Fields of the question. */
  readonly question?: Readonly<Record<string, unknown>>;
}

/** The bytes of the one diagram. */
export const drawing = '<svg xmlns="http://www.w3.org/2000/svg"/>';

/** Has a service serve a bank whose checksums are right, whatever its names are. */
export function serveBank(service: MadeService, made: MadeBank = {}): void {
  const name = { shift, subject: 'physics', file: 'q1-drawing.svg', ...made };
  const questions = [
    { id: 'q1', diagrams: [{ file: name.file, checksum: checksum(drawing) }], ...made.question },
  ];
  const ofPaper = checksum(canonicalJson(questions));
  const ofShift = checksum(canonicalJson({ [inPath(name.subject)]: ofPaper }));
  service.answer('/neet', { exam: 'neet', years: [2024] });
  service.answer('/neet/2024', {
    exam: 'neet',
    year: 2024,
    shifts: [{ shift: name.shift, subjects: [name.subject], checksum: ofShift }],
  });
  const folder = `/neet/2024/${inPath(name.shift)}`;
  service.answer(`${folder}/${inPath(name.subject)}.json`, {
    exam: 'neet',
    year: 2024,
    shift: name.shift,
    subject: name.subject,
    questions,
    metadata: { checksum: ofPaper },
  });
  service.answer(`${folder}/diagrams/${inPath(name.file)}`, (response) => response.end(drawing));
}

function inPath(name: unknown): string {
  return typeof name === 'string' ? name : JSON.stringify(name);
}
