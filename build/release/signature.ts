/**
 * Signatures of releases, so that a copy can be traced to who made it. A signed release has `root.sig`, which
 * covers every file, and publishes `/docs/checksums.txt`, which covers what a client can download, and the public key.
 * Without a key nothing is signed, and a release has none of these.
 *
 * A signed text consists of lines. The last one is the Ed25519 signature (RFC 8032) of the lines before it, in base64.
 * The first one says what is signed, so that no signature can be used for something else.
 */
import { createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomically } from './files.ts';
import type { Release } from './read.ts';
import { type Root, releasesFolder, type StoredResource, signatureFile } from './root.ts';
import { UserError } from './user-error.ts';

/** URL path of the SHA-256 of every response of the API, signed. */
export const checksumsPath = 'docs/checksums.txt';
/** URL path of the public key. It is for comparison: whoever can replace the responses can also replace it. */
export const publicKeyPath = 'docs/signing-key.pem';

/** Signs a release. Ed25519 is deterministic: equal content and an equal key give equal bytes. */
export interface Signer {
  /** As PEM. */
  readonly publicKey: string;
  /** Returns the signature of a text in base64. */
  readonly sign: (text: string) => string;
}

/**
 * Reads the private key of a signer.
 *
 * @param file PEM, not encrypted
 * @returns undefined if no file is named
 * @throws UserError when it cannot be read, or has no Ed25519 private key
 */
export function readSigner(file: string | undefined): Signer | undefined {
  if (!file) return undefined;
  const [key] = readKeys(
    (pem) => [createPrivateKey(pem)],
    file,
    'SIGNING_KEY must be a file with an Ed25519 private key in PEM format, without a passphrase: ' +
      'openssl genpkey -algorithm ed25519 -out signing-key.pem',
  );
  if (!key) return undefined;
  return {
    publicKey: createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString(),
    sign: (text) => sign(null, Buffer.from(text), key).toString('base64'),
  };
}

/** One of these keys must have signed. There are two while a key is replaced. */
export type PublicKeys = readonly KeyObject[];

/** Reads the public keys in a text. @param pem one block for each @throws Error when there is none, or another text */
export function parsePublicKeys(pem: string): PublicKeys {
  const blocks = pem.match(/-----BEGIN [\s\S]+?-----END [^\n]+/g) ?? [pem];
  return blocks.map((block) => createPublicKey(block));
}

/**
 * Reads public keys.
 *
 * @param files PEM; several are separated by commas
 * @returns undefined if no file is named
 * @throws UserError when one cannot be read, or has no Ed25519 key
 */
export function readPublicKeys(files: string | undefined): PublicKeys | undefined {
  const help =
    '--public-key must be a file with an Ed25519 public key in PEM format: ' +
    'openssl pkey -in signing-key.pem -pubout -out public-key.pem';
  return files?.split(',').flatMap((file) => readKeys(parsePublicKeys, file, help));
}

/** @param help what the file should be */
function readKeys(parse: (pem: string) => PublicKeys, file: string, help: string): PublicKeys {
  const unusable = (reason: string) => new UserError(`${file} ${reason}. ${help}`);
  let keys: PublicKeys;
  try {
    keys = parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    throw unusable(syscall === undefined ? 'contains no such key' : `cannot be read (${code})`);
  }
  const other = keys.find(({ asymmetricKeyType }) => asymmetricKeyType !== 'ed25519');
  if (other) throw unusable(`contains a key of type ${other.asymmetricKeyType}`);
  return keys;
}

/** Whether a release publishes the key of this signer, or of none. */
export function hasSigner({ public: resources }: Root, signer: Signer | undefined): boolean {
  const key: StoredResource | undefined = resources[publicKeyPath];
  return key?.identity.sha256 === (signer && hash('sha256', signer.publicKey));
}

/**
 * Writes the signature of a root, unless it exists.
 *
 * @param folder of the release
 * @param sha256 hex, of the text of the root
 * @throws the file system's own error
 */
export async function storeSignature(
  folder: string,
  sha256: string,
  signer: Signer,
): Promise<void> {
  const file = join(folder, signatureFile);
  const signature = signedText(rootStatement(sha256), signer);
  if ((await readFile(file, 'utf8').catch(() => '')) !== signature)
    await writeFileAtomically(file, signature);
}

/** Whether a release has a signature of its root by one of these keys. */
export async function isSigned(
  { distDir, name, sha256 }: Release,
  publicKeys: PublicKeys,
): Promise<boolean> {
  const file = join(distDir, releasesFolder, name, signatureFile);
  const signature = await readFile(file, 'utf8').catch(() => '');
  return isSignedText(signature, sha256, publicKeys);
}

/** Whether a `root.sig` is the signature of a root by these keys. @param sha256 hex, of `root.json` */
export function isSignedText(signature: string, sha256: string, publicKeys: PublicKeys): boolean {
  return verifiedText(signature, publicKeys) === rootStatement(sha256);
}

const checksumsTitle = 'responses\n';

/**
 * The signed text of `/docs/checksums.txt`. It does not name the responses, since the names of diagrams are protected.
 * Each response says itself what it is, except for diagrams, whose checksums are in the papers.
 *
 * @param hashes hex SHA-256 of each response, before content coding
 */
export function signChecksums(hashes: Iterable<string>, signer: Signer): string {
  return signedText(`${checksumsTitle}${[...new Set(hashes)].sort().join('\n')}\n`, signer);
}

/** The hashes of `/docs/checksums.txt`; undefined if none of these keys signed it. */
export function verifiedChecksums(
  signed: string,
  publicKeys: PublicKeys,
): ReadonlySet<string> | undefined {
  const text = verifiedText(signed, publicKeys);
  return text?.startsWith(checksumsTitle) ? new Set(text.split('\n').slice(1, -1)) : undefined;
}

/** The signature at the end of a signed text. */
export function signatureOf(signed: string): string {
  return signed.trimEnd().split('\n').at(-1) ?? '';
}

function rootStatement(sha256: string): string {
  return `root\n${sha256}\n`;
}

/** Adds the signature to a text, whose first line says what it is. @param text ends with a line break */
export function signedText(text: string, signer: Signer): string {
  return `${text}${signer.sign(text)}\n`;
}

/** The text before the signature; undefined if the signature is not of this text and one of the keys. */
export function verifiedText(signed: string, publicKeys: PublicKeys): string | undefined {
  const signature = signatureOf(signed);
  const text = signed.slice(0, -signature.length - 1);
  if (signed !== `${text}${signature}\n`) return undefined;
  const data = Buffer.from(text);
  const bytes = Buffer.from(signature, 'base64');
  return publicKeys.some((key) => verify(null, data, key, bytes)) ? text : undefined;
}
