/** The published types of negotiator do not know `preferred`, which it has since 1.0. */
declare module 'negotiator' {
  export default class Negotiator {
    constructor(request: { readonly headers: { readonly [name: string]: string | string[] | undefined } });

    /**
     * The content coding that the client likes best (RFC 9110, 12.5.3).
     *
     * @param available codings to choose from
     * @param options.preferred the server's order among those that the client likes as much
     * @returns undefined when the client accepts none of them
     */
    encoding(
      available: readonly string[],
      options: { readonly preferred: readonly string[] },
    ): string | undefined;
  }
}
