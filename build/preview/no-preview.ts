/** The preview cannot start. The message is a sentence on why, and what to do. */
export class NoPreview extends Error {
  override readonly name = 'NoPreview';
}
