/** What is told of a place, as far as others may tell the same. */
interface Told {
  readonly rule: string;
  readonly file: string;
  readonly pointer: string;
  readonly related?: readonly { readonly file: string }[];
}

/**
 * Less what only follows from something else that is told: an id that names another place, since it is a copy;
 * a diagram that is no image, since it is a link.
 */
export function withoutEchoes<One extends Told>(told: readonly One[]): One[] {
  const known = new Set(
    told.flatMap(({ rule, file, pointer }) => [`${rule} ${file}`, `${rule} ${file}#${pointer}`]),
  );
  return told.filter((one) => !isEcho(one, known));
}

function isEcho({ rule, file, pointer, related = [] }: Told, known: ReadonlySet<string>): boolean {
  switch (rule) {
    case 'id-place':
      return known.has(`unique-ids ${file}#${pointer}`) || known.has(`subject-allowed ${file}`);
    case 'diagram-exists': {
      const folder = `${file.slice(0, file.lastIndexOf('/'))}/diagrams`;
      return known.has(`readable-folder ${folder}`) || known.has(`stray-file ${folder}`);
    }
    case 'diagram-image':
      return related.some((place) => known.has(`stray-file ${place.file}`));
    case 'unused-diagram':
      return known.has(`stray-file ${file}`);
    default:
      return false;
  }
}
