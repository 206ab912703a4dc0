/** Where a store of releases is: a bucket of an object store that speaks S3, or a folder of a web server. */
import { isLoopback } from '../release/urls.ts';

/** A store. Contains only what JSON has, so that processes can send it. */
export interface StoreLocation {
  /** As it was written, for messages. */
  readonly name: string;
  /** The URL of its folder, with a slash at the end. */
  readonly url: string;
  /** Undefined: requests are not signed, and the store can only be read. */
  readonly s3?: S3Credentials;
}

export interface S3Credentials {
  /** The URL of the bucket, without a slash at the end. */
  readonly bucketUrl: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Temporary credentials have one. */
  readonly sessionToken?: string;
}

/** Makes the error for an address that cannot be used. The message follows a name of the setting, and repeats no value. */
type ToError = (message: string) => Error;

type Environment = Readonly<Record<string, string | undefined>>;

/** Bucket names with dots do not match the certificate of a host per bucket. */
const plainBucket = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/;

/** Names that need no escapes, so that every server signs the same path. */
const prefixPattern = /^(\/[A-Za-z0-9._-]+)*\/?$/;

/**
 * Parses the address of a store: `s3://BUCKET/PREFIX`, or the `https://` URL of a folder. `http://` is for servers on
 * this machine.
 *
 * @param env the standard variables of AWS's tools: credentials, region and endpoint
 * @throws what `invalid` returns
 */
export function storeLocation(text: string, env: Environment, invalid: ToError): StoreLocation {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (
    url === undefined ||
    url.username ||
    url.password ||
    url.search ||
    url.hash ||
    url.hostname === ''
  )
    throw invalid(
      'must be an address such as s3://bucket/prefix or https://releases.example.org/, ' +
        'without user, query or fragment.',
    );
  switch (url.protocol) {
    case 's3:':
      return s3Location(text, url, env, invalid);
    case 'http:':
      if (!isLoopback(url.hostname))
        throw invalid('must not be an http:// address of another machine. Use https://.');
      return { name: text, url: withSlash(url.href) };
    case 'https:':
      return { name: text, url: withSlash(url.href) };
    default:
      throw invalid('must start with s3:// or https://.');
  }
}

function s3Location(
  name: string,
  { hostname: bucket, pathname, port }: URL,
  env: Environment,
  invalid: ToError,
): StoreLocation {
  if (port !== '' || !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket) || !hasPlainParts(pathname))
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
  const pathStyle = `${(endpoint || `https://${amazon}`).replace(/\/+$/, '')}/${bucket}`;
  const bucketUrl =
    !endpoint && plainBucket.test(bucket) ? `https://${bucket}.${amazon}` : pathStyle;
  const credentials = { bucketUrl, region, accessKeyId, secretAccessKey };
  const sessionToken = env['AWS_SESSION_TOKEN'];
  return {
    name,
    url: bucketUrl + withSlash(pathname),
    s3: sessionToken ? { ...credentials, sessionToken } : credentials,
  };
}

function hasPlainParts(path: string): boolean {
  return prefixPattern.test(path) && !path.split('/').some((part) => part === '.' || part === '..');
}

function withSlash(path: string): string {
  return path.endsWith('/') ? path : `${path}/`;
}
