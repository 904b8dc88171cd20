/** Converts one value of a result to a readable document with a name, language and text. */

import { cellText } from '../../../table/src/cells.ts';
import type { Cell } from '../../../table/src/result.ts';
import { visibleText } from '../../../table/src/visibleText.ts';
import { fileName } from '../deployments/resourceAddress.ts';
import { indentJson, isJsonStructure } from './jsonFormat.ts';

export interface CellDocument {
  /** The editor tab's title, such as `geo.city, row 12.txt`. */
  readonly name: string;
  readonly language: 'json' | 'plaintext';
  readonly text: string;
}

/** Returns the document for a value. `row` is the zero-based row in display order. */
export function cellDocument(column: string, row: number, cell: Cell): CellDocument {
  const text = cellText(cell);
  const name = `${fileName(visibleText(column)) || 'value'}, row ${row + 1}`;
  const isJson = (typeof cell === 'object' && cell !== null) || isJsonStructure(text);
  return isJson
    ? { name: `${name}.json`, language: 'json', text: indentJson(text) }
    : { name: `${name}.txt`, language: 'plaintext', text };
}
