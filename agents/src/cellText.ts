// Writes cells as JSON, exactly and shortened.
import { stringifyJson } from '../../api/src/plain.ts';
import { printable } from '../../language/src/index.ts';
import { shortened } from './answer.ts';
import { CELL_CHARACTERS_MAX } from './limits.ts';

/** Returns a cell as JSON on one line. Long cells are shortened, with their length. Integers keep all digits. */
export function cellText(cell: unknown, maxCharacters = CELL_CHARACTERS_MAX): string {
  if (typeof cell === 'string') {
    if (cell.length <= maxCharacters) return printable(JSON.stringify(cell));
    return printable(JSON.stringify(shortened(cell, maxCharacters)));
  }
  if (cell === null || cell === undefined) return 'null';
  if (typeof cell !== 'object') return String(cell);
  return printable(shortened(stringifyJson(cell), maxCharacters));
}

/** Returns a name of a column or dataset for an answer. */
export function nameText(name: string): string {
  return printable(shortened(name, CELL_CHARACTERS_MAX));
}
