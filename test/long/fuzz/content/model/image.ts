/** The magic numbers of image formats, by file extension. */
const signatures: readonly (readonly [endings: RegExp, first: RegExp])[] = [
  [/\.png$/, /^\x89PNG\r\n/],
  [/\.jpe?g$/, /^\xff\xd8\xff/],
  [/\.gif$/, /^GIF8[79]a/],
  [/\.webp$/, /^RIFF[\s\S]{4}WEBP/],
  [/\.avif$/, /^[\s\S]{4}ftyp[\s\S]*avi[fs]/],
  [/\.svg$/, /^(?:\xef\xbb\xbf)?\s*</],
];

/** Scripts and external resources in SVG. */
const hazards =
  /<(?:\w+:)?(?:script|foreignObject)\b|\son[a-z]+\s*=|javascript:|(?:href|src)\s*=\s*["']\s*(?:https?:)?\/\/|<!ENTITY|@import|url\(\s*["']?\s*(?:https?:)?\/\//i;

/** The error of a diagram (design: Content), as words that follow its name. */
export function imageError(file: string, bytes: Buffer): string | undefined {
  const text = bytes.toString('latin1');
  const signature = signatures.find(([endings]) => endings.test(file));
  if (!signature) return 'has no image extension';
  if (!signature[1].test(text)) return 'does not match its extension';
  if (file.endsWith('.png') && !/IEND[\s\S]{4}$/.test(text)) return 'is cut off';
  if (
    file.endsWith('.svg') &&
    !/<\/(?:\w+:)?svg\s*>\s*(?:<!--[\s\S]*-->\s*)*$|<(?:\w+:)?svg[^>]*\/>/.test(text)
  )
    return 'is cut off';
  return file.endsWith('.svg') && hazards.test(text.replace(/<!--[\s\S]*?-->/g, ''))
    ? 'has a script or an external resource'
    : undefined;
}

/** The media type and size of a diagram, for the two formats of the sample bank. */
export function imageProperties(
  file: string,
  bytes: Buffer,
): { readonly mediaType: string; readonly width: number; readonly height: number } {
  if (file.endsWith('.png'))
    return { mediaType: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  const [tag = ''] = /<(?:\w+:)?svg\b[^>]*>/.exec(bytes.toString()) ?? [];
  const pixels = (name: string) =>
    Math.round(Number.parseFloat(new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? ''));
  return { mediaType: 'image/svg+xml', width: pixels('width'), height: pixels('height') };
}
