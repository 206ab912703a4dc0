import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readSigner, type Signer } from '../../build/release/signature.ts';
import { temporaryFolder } from './bank-folder.ts';

/** A new key, in memory and as files. */
export interface SigningKey {
  readonly signer: Signer;
  readonly publicKey: KeyObject;
  readonly privateFile: string;
  readonly publicFile: string;
}

export async function makeSigningKey(): Promise<SigningKey> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const folder = await temporaryFolder();
  const [privateFile, publicFile] = [join(folder, 'private.pem'), join(folder, 'public.pem')];
  await writeFile(privateFile, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  await writeFile(publicFile, publicKey.export({ type: 'spki', format: 'pem' }));
  return { signer: readSigner(privateFile), publicKey, privateFile, publicFile };
}
