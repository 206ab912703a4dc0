import { brotliDecompressSync, gunzipSync } from 'node:zlib';

/** Shorter base64 is ignored. */
const minBase64Length = 24;

/** The text as it is, decoded from HTML, JSON and URL escapes, and the base64 in it decoded. */
export function decodingsOf(text: string): string[] {
  const decodings = [text, withoutHtml(text), withoutJson(text), withoutPercent(text), ...insideBase64(text)];
  return [...new Set([...decodings, withoutHtml(withoutJson(text))])];
}

/** The text of a stored file, without its content coding. */
export function storedText(path: string, bytes: Buffer): string {
  if (path.endsWith('.br')) return brotliDecompressSync(bytes).toString();
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

function withoutHtml(text: string): string {
  return text
    .replace(/&#x([0-9a-f]{1,6});/gi, (whole, code) => character(Number.parseInt(code, 16)) ?? whole)
    .replace(/&#(\d{1,7});/g, (whole, code) => character(Number(code)) ?? whole)
    .replace(/&(\w+);/g, (whole, name) => entities[name] ?? whole);
}

function character(code: number): string | undefined {
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

function withoutJson(text: string): string {
  return text
    .replace(/\\u([0-9a-f]{4})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\(.)/g, (_, letter) => escapes[letter] ?? letter);
}

function withoutPercent(text: string): string {
  return text.replace(/(%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString());
}

function insideBase64(text: string): string[] {
  const runs = text.match(new RegExp(`[A-Za-z0-9+/_-]{${minBase64Length},}`, 'g')) ?? [];
  return runs.length === 0 ? [] : [runs.map((run) => Buffer.from(run, 'base64').toString()).join('\n')];
}
