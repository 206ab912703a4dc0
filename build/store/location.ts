/** Where a store of releases is: a bucket of an object store that speaks S3, and a folder in it. */
import { UsageError } from '../command-line/command.ts';

/** A store. Contains only what JSON has, so that processes can send it. */
export interface StoreLocation {
  /** As it was written, for messages. */
  readonly name: string;
  /** The URL of its folder, with a slash at the end. */
  readonly url: string;
  readonly credentials: S3Credentials;
}

export interface S3Credentials {
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Temporary credentials have one. */
  readonly sessionToken?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Names that need no escapes, so that every server signs the same path. */
const address = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[A-Za-z0-9._-]+)*)\/?$/;

/** Bucket names with dots do not match the certificate of a host per bucket. */
const plainBucket = /^[a-z0-9-]+$/;

/**
 * Parses the address of a store: `s3://BUCKET/PREFIX`.
 *
 * @param env the standard variables of AWS's tools: credentials, region and endpoint
 * @throws UsageError when it cannot be used, which repeats no value
 */
export function storeLocation(name: string, env: Environment): StoreLocation {
  const invalid = (message: string) => new UsageError(`STORE ${message}`);
  const [, bucket, prefix = ''] = address.exec(name) ?? [];
  if (bucket === undefined || prefix.split('/').some((part) => part === '.' || part === '..'))
    throw invalid(
      'must be s3://BUCKET/PREFIX, where the prefix consists of letters, digits, dots, hyphens, ' +
        'underscores and slashes.',
    );
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if (!accessKeyId || !secretAccessKey)
    throw invalid(
      'is an s3:// address, which requires AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment.',
    );
  const region = env['AWS_REGION'] || env['AWS_DEFAULT_REGION'] || 'us-east-1';
  const endpoint = env['AWS_ENDPOINT_URL_S3'] || env['AWS_ENDPOINT_URL'];
  if (endpoint && !(URL.canParse(endpoint) && /^https?:$/.test(new URL(endpoint).protocol)))
    throw invalid(
      'uses AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL, which must be a URL such as https://s3.example.org.',
    );
  const amazon = `s3.${region}.amazonaws.com`;
  const bucketUrl =
    !endpoint && plainBucket.test(bucket)
      ? `https://${bucket}.${amazon}`
      : `${(endpoint || `https://${amazon}`).replace(/\/+$/, '')}/${bucket}`;
  const sessionToken = env['AWS_SESSION_TOKEN'];
  const credentials = {
    region,
    accessKeyId,
    secretAccessKey,
    ...(sessionToken && { sessionToken }),
  };
  return { name, url: `${bucketUrl}${prefix}/`, credentials };
}
