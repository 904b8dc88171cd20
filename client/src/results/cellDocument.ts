/** One value of a result as a document to read: its name, its language and its text. */

import { cellText } from '../../../table/src/cells.ts';
import type { Cell } from '../../../table/src/result.ts';
import { visibleText } from '../../../table/src/visibleText.ts';
import { fileName } from '../deployments/resourceAddress.ts';
import { indentJson, isJsonStructure } from './jsonFormat.ts';

export interface CellDocument {
  /** Such as `geo.city, row 12.txt`: what the editor's tab shows. */
  readonly name: string;
  readonly language: 'json' | 'plaintext';
  readonly text: string;
}

/** The document of a value; `row` is the zero-based row in display order. */
export function cellDocument(column: string, row: number, cell: Cell): CellDocument {
  const text = cellText(cell);
  const name = `${fileName(visibleText(column)) || 'value'}, row ${row + 1}`;
  const isJson = (typeof cell === 'object' && cell !== null) || isJsonStructure(text);
  return isJson
    ? { name: `${name}.json`, language: 'json', text: indentJson(text) }
    : { name: `${name}.txt`, language: 'plaintext', text };
}
