// Finds fields in a response: in `fieldsMetaMap`, and as columns if the query keeps all fields of a dataset.
import { arrivalColumn } from '../../../server/src/protocol.ts';
import type { AnswerHead } from '../../../table/src/answer.ts';
import { fieldOf, type KnownField } from '../service/schema.ts';
import type { FieldSource } from './mergeFields.ts';

interface AnswerStatement {
  readonly dataset: string;
  readonly source: FieldSource;
  readonly fields: readonly KnownField[];
}

/** Returns fields by dataset. `allFieldsOf` is the dataset whose fields are the answer's columns, if there is one. */
export function statementsIn(
  { fieldsMetaMap, tables }: Pick<AnswerHead, 'fieldsMetaMap' | 'tables'>,
  allFieldsOf: string | undefined,
): AnswerStatement[] {
  const statements: AnswerStatement[] = [];
  for (const [dataset, details] of Object.entries(fieldsMetaMap)) {
    const fields = (details ?? []).flatMap(({ name, ...field }) =>
      typeof name === 'string' && name !== '' ? fieldOf({ name, ...field }) : [],
    );
    if (fields.length > 0) statements.push({ dataset, source: 'metadata', fields });
  }
  const columns = tables[0]?.fields ?? [];
  if (allFieldsOf !== undefined && columns.length > 0) {
    const fields = columns
      .filter(({ name, agg }) => agg === undefined && !reserved.has(name))
      .map(({ name, type }) => ({ name, type: type || 'unknown' }));
    statements.push({ dataset: allFieldsOf, source: 'answer', fields });
  }
  return statements;
}

/** Columns that the service or following adds to rows, so that they aren't fields. */
const reserved: ReadonlySet<string> = new Set([
  '_blockInfo',
  '_cursor',
  '_rowID',
  '_rowId',
  '_source',
  arrivalColumn,
]);
