/** The published types of negotiator lack `preferred`, which it has since 1.0. */
declare module 'negotiator' {
  export default class Negotiator {
    constructor(request: {
      readonly headers: { readonly [name: string]: string | string[] | undefined };
    });

    /**
     * The accepted content codings, the preferred one first (RFC 9110, 12.5.3).
     *
     * @param available codings to choose from
     * @param options.preferred the server's order among codings of equal weight
     */
    encodings(
      available: readonly string[],
      options: { readonly preferred: readonly string[] },
    ): string[];
  }
}
