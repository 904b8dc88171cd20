// Turns a tabular answer into the result that the view, the clipboard and the export read. Values are
// the very ones that came; only missing ends of columns are filled with null.
import {
  MESSAGE_CODES,
  type Message,
  QUERY_DEFAULT_LIMIT,
  type ReadResponse,
} from '../../../api/src/index.ts';
import type {
  Cell,
  QueryResult,
  ResultColumn,
  ResultNotice,
  ResultTable,
} from '../results/result.ts';
import { defaultColumnOrder } from './columnOrder.ts';

type Answer = ReadResponse<'queryEdge'>;
type AnswerTable = NonNullable<Answer['tables']>[number];

/** What the client knows of a query in addition to the answer. */
export interface Asked {
  readonly title: string;
  readonly query: string;
  readonly statesColumnOrder: boolean;
  readonly deployment: string;
  readonly rangeLabel: string;
  readonly roundTripMilliseconds: number;
  readonly traceId?: string;
}

export function toResult(answer: Answer, { statesColumnOrder, ...asked }: Asked): QueryResult {
  const { status } = answer;
  const metadata = fieldMetadata(answer);
  const tables = (answer.tables ?? []).map((table) => toTable(table, metadata, statesColumnOrder));
  return {
    ...asked,
    tables,
    elapsedMicroseconds: status.elapsedTime ?? 0,
    rowsExamined: status.rowsExamined ?? 0,
    rowsMatched: status.rowsMatched ?? 0,
    aggregated: isAggregated(answer.tables?.[0]),
    isPartial: status.isPartial ?? false,
    notices: notices(status, tables[0]?.rowCount ?? 0),
  };
}

function isAggregated(table: AnswerTable | undefined): boolean {
  if (table === undefined) return false;
  return (table.groups?.length ?? 0) > 0 || table.fields.some((field) => field.agg !== undefined);
}

interface FieldMetadata {
  readonly unit?: string;
  readonly description?: string;
}

/** What is known of fields by name; of datasets that disagree, the first counts. */
function fieldMetadata(answer: Answer): ReadonlyMap<string, FieldMetadata> {
  const byName = new Map<string, FieldMetadata>();
  for (const fields of Object.values(answer.fieldsMetaMap ?? {})) {
    for (const { name, unit, description } of fields ?? []) {
      if (byName.has(name)) continue;
      byName.set(name, {
        ...(unit && unit !== 'none' && { unit }),
        ...(description && { description }),
      });
    }
  }
  return byName;
}

function toTable(
  table: AnswerTable,
  metadata: ReadonlyMap<string, FieldMetadata>,
  statesColumnOrder: boolean,
): ResultTable {
  const names = table.fields.map(({ name }) => name);
  const order = statesColumnOrder ? [...names.keys()] : defaultColumnOrder(names);
  const columns = order.map((index): ResultColumn => {
    const { name, type } = table.fields[index] as AnswerTable['fields'][number];
    return { name, type, ...metadata.get(name) };
  });
  const given = (table.columns ?? []) as readonly (readonly Cell[])[];
  let rowCount = 0;
  for (const values of given) rowCount = Math.max(rowCount, values.length);
  const values = order.map((index) => filled(given[index] ?? [], rowCount));
  return { name: table.name ?? '0', columns, values, rowCount };
}

function filled(values: readonly Cell[], rowCount: number): readonly Cell[] {
  if (values.length === rowCount) return values;
  return [...values, ...Array<null>(rowCount - values.length).fill(null)];
}

const severities: Readonly<Record<string, ResultNotice['severity']>> = {
  trace: 'info',
  debug: 'info',
  info: 'info',
  warn: 'warning',
  error: 'error',
  fatal: 'error',
};

/** Notices that the service sends by code and that have words of our own. */
const ownWords: Readonly<Record<string, string>> = {
  [MESSAGE_CODES.defaultLimit]: `The result is limited to ${QUERY_DEFAULT_LIMIT.toLocaleString('en-US')} rows because the query has no limit. Add "| limit" with a number to see more.`,
};

function notices(status: Answer['status'], rows: number): ResultNotice[] {
  const found = (status.messages ?? []).flatMap((message): ResultNotice | [] => {
    const { code, priority, msg, message: newer } = message as Partial<Message>;
    // The service tells of the limit also where it cut nothing off.
    if (code === MESSAGE_CODES.defaultLimit && rows < QUERY_DEFAULT_LIMIT) return [];
    const known = code !== undefined && Object.hasOwn(ownWords, code) ? ownWords[code] : undefined;
    return {
      severity: severities[priority ?? 'info'] ?? 'info',
      code: code ?? 'notice',
      message: known ?? msg ?? newer ?? code ?? 'The service sent a notice without a message.',
    };
  });
  if (status.isPartial) {
    found.push({
      severity: 'warning',
      code: 'partial',
      message: 'The result is partial: the service stopped before it had read all data.',
    });
  }
  if (status.isEstimate) {
    found.push({
      severity: 'warning',
      code: 'estimate',
      message: 'The numbers are estimates.',
    });
  }
  return found;
}
