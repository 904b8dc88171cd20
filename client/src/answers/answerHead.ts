/**
 * Reads an answer's head (everything except the cells) from the JSON that the decoder collected. Like every service
 * response, it is read tolerantly: malformed parts are left out and reported in `notes`.
 */
import {
  type Field,
  type Message,
  QueryResult,
  type ReadResponse,
  readTolerant,
} from '../../../api/src/index.ts';
import { parsedJson } from '../../../api/src/plain.ts';
import type { AnswerField, AnswerHead, AnswerTable } from '../../../table/src/answer.ts';
import type { Column } from '../../../table/src/columns/column.ts';
import { MalformedBody } from '../../../table/src/decode/malformed.ts';

type Answer = ReadResponse<'queryEdge'>;
type WireTable = NonNullable<Answer['tables']>[number];

/** Throws `MalformedBody` if the JSON is not a tabular answer. */
export function answerHead(json: string, columns: readonly (readonly Column[])[]): AnswerHead {
  const raw = parsedJson(json);
  if (raw === undefined) throw new MalformedBody('it is not JSON');
  const reading = readTolerant(QueryResult, raw, 'the response');
  if (!reading.ok) throw new MalformedBody(reading.problem.message);
  const answer = reading.typed as Answer;
  const details = fieldDetails(answer);
  const wireTables = answer.tables ?? [];
  const tables = wireTables.map((table, index) => tableHead(table, columns[index] ?? [], details));
  const { messages, minCursor, maxCursor, continuationToken: _, ...status } = answer.status;
  const [first] = tables;
  return {
    tables,
    status: withoutNullMembers(status),
    cursors: withoutNullMembers({ oldest: minCursor, newest: maxCursor }),
    messages: (messages ?? []) as Partial<Message>[],
    datasetNames: answer.datasetNames ?? [],
    fieldsMetaMap: (answer.fieldsMetaMap ?? {}) as AnswerHead['fieldsMetaMap'],
    aggregated:
      first !== undefined &&
      (first.groups.length > 0 || first.fields.some(({ agg }) => agg !== undefined)),
    notes: reading.notes.map(({ message }) => message),
  };
}

function tableHead(
  table: WireTable,
  columns: readonly Column[],
  details: ReadonlyMap<string, FieldDetails>,
): AnswerTable {
  let rowCount = 0;
  for (const column of columns) rowCount = Math.max(rowCount, column.length);
  return {
    name: table.name ?? '0',
    sources: (table.sources ?? []).flatMap(({ name }) => name ?? []),
    fields: table.fields.map(
      ({ name, type, agg }): AnswerField => ({
        name,
        type,
        ...(agg != null && { agg: agg as NonNullable<AnswerField['agg']> }),
        ...(details.get(name) ?? measuredAs(agg, details)),
      }),
    ),
    groups: (table.groups ?? []).flatMap(({ name }) => name ?? []),
    order: (table.order ?? []) as AnswerTable['order'],
    ...(table.range != null && { range: table.range as NonNullable<AnswerTable['range']> }),
    ...(table.buckets != null && { buckets: table.buckets as NonNullable<AnswerTable['buckets']> }),
    rowCount,
  };
}

/** Aggregates whose result has their field's unit. */
const keepsUnit = /^(?:avg|max|min|percentile|percentiles|percentiles_array|stdev|sum)(?:if)?$/;

/** Returns the unit of an aggregate's field, because the service reports no unit for the aggregate itself. */
function measuredAs(
  agg: WireTable['fields'][number]['agg'],
  details: ReadonlyMap<string, FieldDetails>,
): Pick<AnswerField, 'unit'> {
  const [field, ...others] = agg?.fields ?? [];
  if (field == null || others.length > 0) return {};
  if (!keepsUnit.test(agg?.name?.toLowerCase() ?? '')) return {};
  const unit = details.get(field)?.unit;
  return unit === undefined ? {} : { unit };
}

type FieldDetails = Pick<AnswerField, 'unit' | 'description' | 'hidden'>;

/** Returns field details by name. If datasets disagree, the first dataset's details apply. */
function fieldDetails(answer: Answer): ReadonlyMap<string, FieldDetails> {
  const byName = new Map<string, FieldDetails>();
  for (const fields of Object.values(answer.fieldsMetaMap ?? {})) {
    for (const { name, unit, description, hidden } of (fields ?? []) as Partial<Field>[]) {
      if (name === undefined || byName.has(name)) continue;
      byName.set(name, {
        ...(unit && unit !== 'none' && { unit }),
        ...(description && { description }),
        ...(hidden === true && { hidden }),
      });
    }
  }
  return byName;
}

type NotNull<T> = { [Name in keyof T]?: Exclude<T[Name], null | undefined> };

function withoutNullMembers<T extends object>(value: T): NotNull<T> {
  return Object.fromEntries(
    Object.entries(value).filter(([, member]) => member !== null && member !== undefined),
  ) as NotNull<T>;
}
