import errors from './errors.json' with { type: 'json' };

/** An error of the API. The gateway returns it, the reference explains it. */
export interface ApiError {
  readonly status: number;
  readonly message: string;
  /** When it is returned, for readers of the reference. */
  readonly cause: string;
  /** Headers in addition to those of every error (RFC 9110, 15.5). */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The errors of sections 5, 7 and 8 of the specification. */
export const apiErrors = errors satisfies Record<string, ApiError>;

export type ApiErrorName = keyof typeof apiErrors;
