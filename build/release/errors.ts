/** The errors of the API (sections 5, 7 and 8 of the specification). The gateway returns them, the reference explains them. */
export interface ApiError {
  readonly status: number;
  readonly message: string;
  /** When it is returned, for readers of the reference. */
  readonly cause: string;
  /** Headers in addition to those of every error (RFC 9110, 15.5). */
  readonly headers?: Readonly<Record<string, string>>;
}

export const apiErrors = {
  malformedUrl: {
    status: 400,
    message: 'Malformed URL',
    cause: 'The path does not decode, contains an empty or dot segment, or matches no endpoint.',
  },
  malformedRequest: { status: 400, message: 'Malformed request', cause: 'The request is not valid HTTP.' },
  invalidYear: { status: 400, message: 'Invalid year format', cause: 'The year is not four digits.' },
  missingKey: {
    status: 401,
    message: 'Missing API key',
    cause: 'There is no Authorization header.',
    headers: { 'WWW-Authenticate': 'Bearer' },
  },
  malformedAuthorization: {
    status: 401,
    message: 'Malformed Authorization header',
    cause: 'The header is not of the form Bearer <API_KEY>.',
    headers: { 'WWW-Authenticate': 'Bearer' },
  },
  invalidKey: { status: 403, message: 'Invalid or expired API key', cause: 'The key is unknown, revoked or expired.' },
  examNotFound: { status: 404, message: 'Exam not found', cause: 'The bank has no such exam.' },
  yearNotFound: { status: 404, message: 'Year not found', cause: 'The exam has no papers of that year.' },
  shiftNotFound: { status: 404, message: 'Shift not found', cause: 'The shift identifier matches no shift.' },
  fileNotFound: { status: 404, message: 'File not found', cause: 'The file does not exist for the shift.' },
  methodNotAllowed: {
    status: 405,
    message: 'Method not allowed',
    cause: 'The method is not GET.',
    headers: { Allow: 'GET' },
  },
  requestTimeout: { status: 408, message: 'Request timeout', cause: 'The request did not arrive in time.' },
  rateLimitExceeded: {
    status: 429,
    message: 'Rate limit exceeded',
    cause:
      'The rate limit or the monthly quota of the plan is used up, or too many requests with invalid keys came from one address. Retry-After says when to retry.',
  },
  internal: { status: 500, message: 'Internal server error', cause: 'The service failed. Retry later.' },
  authenticationUnreachable: {
    status: 502,
    message: 'Authentication service unreachable',
    cause: 'The key could not be checked. It may be valid: retry.',
  },
  versionNotSupported: {
    status: 505,
    message: 'HTTP version not supported',
    cause: 'The request is not HTTP/1.0 or HTTP/1.1.',
  },
} as const satisfies Record<string, ApiError>;

export type ApiErrorName = keyof typeof apiErrors;
