import { visit } from 'jsonc-parser';

/** A stretch of a text: offsets in UTF-16 units, the end exclusive. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** A property's name that an object holds twice: JSON.parse takes the last one and says nothing. */
export interface DuplicateName {
  readonly name: string;
  /** JSON pointer (RFC 6901) to the object. */
  readonly pointer: string;
  /** The name with its quotes, where it stands first, and where it stands again. */
  readonly first: Stretch;
  readonly again: Stretch;
}

/**
 * Every name that stands again in its object, in the order of the text, however it is escaped.
 *
 * @param text that JSON.parse accepts; one nested deeper than the stack holds is passed over
 */
export function duplicateNames(text: string): DuplicateName[] {
  const found: DuplicateName[] = [];
  const objects: Map<string, Stretch>[] = [];
  try {
    visit(text, {
      onObjectBegin: () => void objects.push(new Map()),
      onObjectEnd: () => void objects.pop(),
      onObjectProperty: (name, offset, length, _line, _character, pathOf) => {
        const again = { start: offset, end: offset + length };
        const names = objects.at(-1);
        const first = names?.get(name);
        if (first) found.push({ name, pointer: pointerOf(pathOf()), first, again });
        else names?.set(name, again);
      },
    });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return found;
}

function pointerOf(path: readonly (string | number)[]): string {
  return path.map((part) => `/${escapePointer(String(part))}`).join('');
}

/** A property's name as part of a JSON pointer (RFC 6901, 3). */
export function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
