/**
 * Where the samples ask: the address of a gateway started by `npm start`. The page's script puts that of the
 * page itself in its place.
 */
export const sampleOrigin = 'http://127.0.0.1:8080';
