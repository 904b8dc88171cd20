/** Generates the response body of an answer, in the tabular and the legacy formats. */
import { type QueryStatus, TOTALS_TABLE } from '../../../api/src/index.ts';
import type { AnswerReader, Computed } from '../engines/answers.ts';
import type { Plan, PlannedTable } from '../planner/plan.ts';
import type { DatasetLayout } from '../store/layout.ts';
import { formatNanos } from '../time.ts';
import { type EchoedMembers, legacyRequest } from './legacyRequest.ts';

/** `structured` is a variant of `legacy` for answers to structured queries. */
export type Format = 'tabular' | 'tabular-rows' | 'legacy' | 'structured';

export function isLegacy(format: Format): boolean {
  return format === 'legacy' || format === 'structured';
}

export interface BodyContext {
  readonly format: Format;
  readonly echoed: EchoedMembers;
  readonly layoutOf: (dataset: string) => DatasetLayout | undefined;
  /** The plan's datasets that the caller may read directly. Datasets that only a view may read aren't included. */
  readonly datasets: readonly string[];
}

export interface Body {
  readonly reader: AnswerReader;
  readonly plan: Plan;
  readonly tables: readonly Computed[];
  readonly status: QueryStatus;
  readonly context: BodyContext;
}

export async function* tabularChunks(body: Body): AsyncGenerator<Uint8Array> {
  const { reader, plan, tables, status, context } = body;
  const head = {
    format: context.format,
    status,
    datasetNames: context.datasets,
    fieldsMetaMap: fieldsMeta(context),
  };
  let text = `${JSON.stringify(head).slice(0, -1)},"tables":[`;
  for (const [index, table] of tables.entries()) {
    const name = index === 0 ? '0' : TOTALS_TABLE;
    text += `${index > 0 ? ',' : ''}${tableHead(name, table.table, plan, context)},`;
    if (table.parts.length === 0) text += '"columns":[]';
    yield Buffer.from(text);
    yield* reader.chunks(table);
    text = '}';
  }
  yield Buffer.from(`${text}]}`);
}

export async function* legacyChunks(body: Body, grouped: boolean): AsyncGenerator<Uint8Array> {
  const { reader, plan, tables, status, context } = body;
  const meta = fieldsMeta(context);
  const head = {
    format: 'legacy',
    status,
    ...(context.format === 'structured'
      ? { fieldsMeta: Object.values(meta).flat() }
      : { datasetNames: context.datasets, request: legacyRequest(plan, context.echoed) }),
    // Some clients require both `matches` and `buckets`, so add an empty value for the one that has no content.
    ...(grouped ? { matches: [] } : { buckets: { series: [], totals: [] } }),
  };
  yield Buffer.from(`${JSON.stringify(head).slice(0, -1)},${grouped ? '"buckets":{' : ''}`);
  let separator = '';
  for (const table of tables) {
    if (table.parts.length === 0) continue;
    yield Buffer.from(separator);
    yield* reader.chunks(table);
    separator = ',';
  }
  yield Buffer.from(grouped ? '}}' : '}');
}

function tableHead(
  name: string,
  table: PlannedTable,
  { range }: Plan,
  { datasets }: BodyContext,
): string {
  const head = JSON.stringify({
    name,
    sources: datasets.map((dataset) => ({ name: dataset })),
    fields: table.columns.map(({ name: field, type, agg }) => ({ name: field, type, agg })),
    order: table.order,
    groups: table.groups.map((group) => ({ name: group })),
    range: { field: '_time', start: formatNanos(range.start), end: formatNanos(range.end) },
  }).slice(0, -1);
  // Append the size as digits, because it may exceed 2^53.
  const { buckets } = table;
  return buckets === undefined
    ? head
    : `${head},"buckets":{"field":${JSON.stringify(buckets.field)},"size":${buckets.size}}`;
}

function fieldsMeta({ datasets, layoutOf }: BodyContext): Record<string, unknown> {
  return Object.fromEntries(
    datasets.map((dataset) => [
      dataset,
      (layoutOf(dataset)?.fields ?? [])
        .filter(({ unit, description, hidden }) => unit || description || hidden)
        .map(({ name, unit, description, hidden }) => ({
          name,
          type: '',
          unit: unit ?? '',
          hidden: hidden ?? false,
          description: description ?? '',
        })),
    ]),
  );
}
