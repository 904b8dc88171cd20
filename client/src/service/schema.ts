// Fetches datasets and fields for the editor. Tokens differ in which lists they may read, so there are three methods.
// The last method requires only query access.
import type { Field, ReadResponse } from '../../../api/src/index.ts';
import { askForValue, bracketed } from './ask.ts';
import { columnOf } from './extent.ts';
import { type Failure, failed, type Outcome } from './failure.ts';
import type { Service } from './service.ts';

const TIMEOUT_MS = 15_000;

export interface KnownDataset {
  readonly name: string;
  readonly kind: 'dataset' | 'view';
  readonly description?: string;
  readonly query?: string;
}

export interface KnownField {
  readonly name: string;
  readonly type: string;
  readonly unit?: string;
  readonly description?: string;
  readonly hidden?: boolean;
}

export interface KnownSchema {
  readonly datasets: readonly KnownDataset[];
  readonly complete: boolean;
  /** The fields that the list contains, by dataset. */
  readonly fields: ReadonlyMap<string, readonly KnownField[]>;
  /** The failure of a missing part that may succeed later, so that it is worth retrying. */
  readonly incomplete?: Failure;
}

export interface FetchedFields {
  readonly sources: Readonly<
    Partial<Record<'list' | 'virtual' | 'maps' | 'getschema', readonly KnownField[]>>
  >;
  readonly complete: boolean;
  /** The failure of a missing part that may succeed later, so that it is worth retrying. */
  readonly incomplete?: Failure;
}

/** Fetches the datasets and views. Fails if the token may not list datasets. */
export async function fetchDatasets(service: Service): Promise<Outcome<KnownSchema>> {
  const [all, views] = await Promise.all([
    service.call('listAllFields', { timeoutMs: TIMEOUT_MS }),
    service.call('listViews', { timeoutMs: TIMEOUT_MS }),
  ]);
  const known = all.ok ? fromFieldList(all.value.typed) : await fromDatasetList(service);
  if (!known.ok) return known;
  const named = views.ok ? views.value.typed.map(viewOf) : [];
  return {
    ok: true,
    value: {
      datasets: [...known.value.datasets, ...named],
      complete: views.ok || isAbsent(views.failure),
      fields: known.value.fields,
      ...incompleteness(views),
    },
  };
}

type Listed = Pick<KnownSchema, 'datasets' | 'fields'>;

function fromFieldList(list: ReadResponse<'listAllFields'>): Outcome<Listed> {
  const fields = new Map(
    list.map(({ datasetName, fields: own }) => [datasetName, (own ?? []).map(fieldOf)]),
  );
  const datasets = [...fields.keys()].map((name) => ({ name, kind: 'dataset' as const }));
  return { ok: true, value: { datasets, fields } };
}

async function fromDatasetList(service: Service): Promise<Outcome<Listed>> {
  const answer = await service.call('listDatasets', { timeoutMs: TIMEOUT_MS });
  if (!answer.ok) return answer;
  const datasets = answer.value.typed.map(({ name, description }) => ({
    name,
    kind: 'dataset' as const,
    ...(description && { description }),
  }));
  return { ok: true, value: { datasets, fields: new Map() } };
}

/** Known facts about a dataset, so that `fetchFields` doesn't request them again. */
export interface FieldsHint {
  readonly kind?: KnownDataset['kind'];
  readonly listed?: readonly KnownField[] | undefined;
}

/** Fetches a dataset's fields, with virtual and map fields, or the columns of a view. */
export async function fetchFields(
  service: Service,
  dataset: string,
  { kind, listed }: FieldsHint = {},
): Promise<Outcome<FetchedFields>> {
  if (kind === 'view') {
    const columns = await fetchBySchemaQuery(service, dataset);
    return columns.ok ? { ok: true, value: { sources: columns.value, complete: false } } : columns;
  }
  const params = { dataset_id: dataset };
  const [stored, virtual, maps] = await Promise.all([
    listed ? { ok: true as const, value: { list: listed } } : fetchStored(service, dataset),
    service.call('listVirtualFields', { query: { dataset }, timeoutMs: TIMEOUT_MS }),
    service.call('listMapFields', { params, timeoutMs: TIMEOUT_MS }),
  ]);
  if (!stored.ok) return stored;
  const others = [virtual, maps];
  return {
    ok: true,
    value: {
      sources: {
        ...stored.value,
        ...(virtual.ok && { virtual: virtual.value.typed.map(fieldOf) }),
        ...(!virtual.ok && isAbsent(virtual.failure) && { virtual: [] }),
        ...(maps.ok && { maps: maps.value.typed.map((name) => ({ name, type: 'map' })) }),
      },
      // Only a list is complete, because a schema query may miss fields.
      complete: 'list' in stored.value && others.every((one) => one.ok || isAbsent(one.failure)),
      ...incompleteness(others.find((one) => !one.ok && !isLasting(one.failure)) ?? virtual),
    },
  };
}

async function fetchStored(
  service: Service,
  dataset: string,
): Promise<Outcome<FetchedFields['sources']>> {
  const params = { dataset_id: dataset };
  const answer = await service.call('listFields', { params, timeoutMs: TIMEOUT_MS });
  if (answer.ok) return { ok: true, value: { list: answer.value.typed.map(fieldOf) } };
  const { status } = answer.failure;
  // Query the schema if only this permission may be missing, or for a view. Other failures would recur.
  const worthAsking = status === 401 || status === 403 || status === 404 || status === 501;
  return worthAsking ? fetchBySchemaQuery(service, dataset) : answer;
}

/** Queries the schema, which requires only query access. Tries a short range first, because it is cheap. */
async function fetchBySchemaQuery(
  service: Service,
  dataset: string,
): Promise<Outcome<Pick<FetchedFields['sources'], 'getschema'>>> {
  const recent = await schemaQuery(service, dataset, 'now-1h');
  const isEmpty = recent.ok && recent.value.getschema.every(({ name }) => systemFields.has(name));
  return isEmpty ? schemaQuery(service, dataset, 'now-30d') : recent;
}

const systemFields: ReadonlySet<string> = new Set(['_time', '_sysTime']);

async function schemaQuery(
  service: Service,
  dataset: string,
  startTime: string,
): Promise<Outcome<{ readonly getschema: readonly KnownField[] }>> {
  const answer = await askForValue(
    { apl: `${bracketed(dataset)} | getschema`, startTime, endTime: 'now' },
    { service, datasets: [dataset], timeoutMs: TIMEOUT_MS },
  );
  if (!answer.ok) return answer;
  const table = answer.value.tables?.[0];
  const names = columnOf(table, 'ColumnName');
  if (names === undefined) {
    return failed({
      kind: 'unreadable',
      host: service.connection.edge,
      message: `The response to getschema for ${dataset} has no ColumnName column.`,
    });
  }
  const types = columnOf(table, 'ColumnType');
  const dataTypes = columnOf(table, 'DataType');
  const getschema = names.map((name, index) => ({
    name: String(name),
    type: schemaType(types?.[index], dataTypes?.[index]),
  }));
  return { ok: true, value: { getschema } };
}

/** Returns the type; the data type if the type is missing or `dynamic`. It may name several types. */
function schemaType(type: unknown, dataType: unknown): string {
  const isVague = typeof type !== 'string' || type === '' || type === 'dynamic';
  // Convert .NET type names, which Kusto returns.
  const isOwn = typeof dataType === 'string' && dataType !== '' && !dataType.startsWith('System.');
  if (isVague && isOwn) return dataType;
  return typeof type === 'string' && type !== '' ? type : 'unknown';
}

export function fieldOf(field: {
  name: string;
  type?: string | null;
  unit?: Field['unit'] | null;
  description?: string | null;
  hidden?: boolean | null;
}): KnownField {
  const { name, type, unit, description, hidden } = field;
  return {
    name,
    type: type || 'unknown',
    ...(unit && unit !== 'none' && { unit }),
    ...(description && { description }),
    ...(hidden && { hidden }),
  };
}

function viewOf(view: ReadResponse<'listViews'>[number]): KnownDataset {
  return {
    name: view.name,
    kind: 'view',
    ...(view.description && { description: view.description }),
    ...(view.aplQuery && { query: view.aplQuery }),
  };
}

/** Returns the failure of a part, unless it is permanent. */
function incompleteness(part: Outcome<unknown>): { readonly incomplete?: Failure } {
  return part.ok || isLasting(part.failure) ? {} : { incomplete: part.failure };
}

/** Returns whether a failure is permanent: the token lacks the permission, or the item doesn't exist. */
function isLasting({ kind, status = 0 }: Failure): boolean {
  const refused = status >= 400 && status < 500 && status !== 429 && status !== 408;
  return kind === 'token' || status === 501 || refused;
}

/** Returns whether the deployment lacks the endpoint, so that no data is missing. */
function isAbsent(failure: Failure): boolean {
  return failure.status === 404 || failure.status === 501;
}
