import S3rver from 's3rver';
import { temporaryFolder } from '../build/bank-folder.ts';

/** An object store for one test file, on loopback. */
export interface S3Server {
  /** `s3://` and its bucket. */
  readonly bucket: string;
  /** The settings that lead to it. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Starts s3rver, which checks the key id of each request. Its objects are removed with this process. */
export async function startS3(address = '127.0.0.1'): Promise<S3Server> {
  const directory = await temporaryFolder();
  const configureBuckets = [{ name: 'releases' }];
  const server = new S3rver({ port: 0, address, silent: true, directory, configureBuckets });
  const { port } = await server.run();
  return {
    bucket: 's3://releases',
    env: {
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
      AWS_ENDPOINT_URL_S3: `http://${address}:${port}`,
    },
    close: () => server.close(),
  };
}
