// Writes cells as JSON, exactly and shortened.
import { stringifyJson } from '../../api/src/plain.ts';
import { printable } from '../../language/src/index.ts';
import { shortened } from './answer.ts';
import { CELL_CHARACTERS_MAX } from './limits.ts';
import { withoutHalfPair } from './tokens.ts';

/** Returns a cell as JSON on one line. Long cells are shortened, with their length. Integers keep all digits. */
export function cellText(cell: unknown, maxCharacters = CELL_CHARACTERS_MAX): string {
  if (typeof cell === 'string') {
    if (cell.length <= maxCharacters) return printable(JSON.stringify(cell));
    return printable(JSON.stringify(shortened(cell, maxCharacters)));
  }
  if (cell === null || cell === undefined) return 'null';
  if (typeof cell !== 'object') return String(cell);
  const { start, length } = jsonOf(cell);
  if (length <= maxCharacters) return printable(start);
  return printable(`${withoutHalfPair(start.slice(0, maxCharacters))}… (${length} characters)`);
}

interface ShortJson {
  readonly start: string;
  readonly length: number;
}

/** The JSON of objects, which is written several times and may be long. */
const written = new WeakMap<object, ShortJson>();

function jsonOf(cell: object): ShortJson {
  let json = written.get(cell);
  if (json === undefined) {
    const text = stringifyJson(cell);
    json = { start: text.slice(0, CELL_CHARACTERS_MAX), length: text.length };
    written.set(cell, json);
  }
  return json;
}

/** Returns a name of a column or dataset for an answer. */
export function nameText(name: string): string {
  return printable(shortened(name, CELL_CHARACTERS_MAX));
}
