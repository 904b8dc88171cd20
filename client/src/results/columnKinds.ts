/** What a wire type means for showing a column: how it is aligned, filtered and summarized. */
import { isNumeric } from './cells.ts';
import type { ColumnKind } from './messages.ts';

export function columnKind(type: string): ColumnKind {
  if (isNumeric(type)) return 'number';
  if (type === 'datetime') return 'time';
  if (type === 'boolean') return 'boolean';
  return type === 'string' ? 'text' : 'other';
}

const severityName =
  /(?:^|[._])(?:level|severity|severity_?text|log_?level|level_?name|lvl|log_?severity)$/i;

/** Whether the values of a column are severities such as `error`, going by its name. */
export function isSeverity(name: string, type: string): boolean {
  return type === 'string' && severityName.test(name);
}
