/** Maps a column's wire type to the kind that determines its alignment, filters and summary. */
import { isNumeric } from '../../../table/src/numberText.ts';
import type { ColumnKind } from './pageContent.ts';

export function columnKind(type: string): ColumnKind {
  if (isNumeric(type)) return 'number';
  if (type === 'datetime') return 'time';
  if (type === 'boolean') return 'boolean';
  return type === 'string' ? 'text' : 'other';
}
