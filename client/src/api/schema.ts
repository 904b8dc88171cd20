// Datasets and fields for the editor. Tokens differ in what they may list, so there are three ways, from
// the best to the one that needs query access alone.
import type { Field, ReadResponse } from '../../../api/src/index.ts';
import { askForValue, datasetSource } from '../query/ask.ts';
import { type Failure, failed, type Outcome } from './failure.ts';
import type { Service } from './service.ts';

const TIMEOUT_MS = 15_000;

export interface KnownDataset {
  readonly name: string;
  readonly kind: 'dataset' | 'view';
  readonly description?: string;
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
  /** Whether these are all datasets and views. */
  readonly complete: boolean;
  /** The fields that came along with the list, by dataset. */
  readonly fields: ReadonlyMap<string, readonly KnownField[]>;
  /** Why a part is missing that may be there at the next attempt. */
  readonly incomplete?: Failure;
}

export interface KnownFields {
  readonly fields: KnownField[];
  readonly complete: boolean;
  /** Why a part is missing that may be there at the next attempt. */
  readonly incomplete?: Failure;
}

/** The datasets and views of a deployment. A token that may list neither makes a failure. */
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

/** The fields of one dataset or view, virtual ones included; `listed` are those known already. */
export async function fetchFields(
  service: Service,
  dataset: string,
  listed: readonly KnownField[] | undefined,
): Promise<Outcome<KnownFields>> {
  const [stored, virtual] = await Promise.all([
    listed ? { ok: true as const, value: listed } : fetchStored(service, dataset),
    service.call('listVirtualFields', { query: { dataset }, timeoutMs: TIMEOUT_MS }),
  ]);
  if (!stored.ok) return stored;
  const computed = virtual.ok ? virtual.value.typed.map(fieldOf) : [];
  return {
    ok: true,
    value: {
      fields: [...stored.value, ...computed],
      // Where virtual fields cannot be listed a query may name one that is not here.
      complete: virtual.ok || isAbsent(virtual.failure),
      ...incompleteness(virtual),
    },
  };
}

async function fetchStored(
  service: Service,
  dataset: string,
): Promise<Outcome<readonly KnownField[]>> {
  const params = { dataset_id: dataset };
  const answer = await service.call('listFields', { params, timeoutMs: TIMEOUT_MS });
  if (answer.ok) return { ok: true, value: answer.value.typed.map(fieldOf) };
  const { status } = answer.failure;
  // Refusals may be the token's narrowness, and a view has no such list; the rest will not get better.
  const worthAsking = status === 401 || status === 403 || status === 404 || status === 501;
  return worthAsking ? fetchBySchemaQuery(service, dataset) : answer;
}

/** Asks by a query, which needs query access alone. A short range keeps it cheap. */
async function fetchBySchemaQuery(
  service: Service,
  dataset: string,
): Promise<Outcome<readonly KnownField[]>> {
  const answer = await askForValue(
    { apl: `${datasetSource(dataset)} | getschema`, startTime: 'now-1h', endTime: 'now' },
    { service, datasets: [dataset], timeoutMs: TIMEOUT_MS },
  );
  if (!answer.ok) return answer;
  const table = answer.value.tables?.[0];
  const column = (name: string) => {
    const index = table?.fields.findIndex((field) => field.name === name) ?? -1;
    return index < 0 ? undefined : table?.columns?.[index];
  };
  const names = column('ColumnName');
  const types = column('ColumnType') ?? column('DataType');
  if (names === undefined) {
    return failed({
      kind: 'unreadable',
      host: service.connection.edge,
      message: `The response to getschema for ${dataset} has no ColumnName column.`,
    });
  }
  return {
    ok: true,
    value: names.map((name, index) => ({
      name: String(name),
      type: String(types?.[index] ?? 'unknown'),
    })),
  };
}

function fieldOf(field: {
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
  };
}

/** The failure of a part, unless it will fail again: the token does not allow it, or it is not there. */
function incompleteness(part: Outcome<unknown>): { readonly incomplete?: Failure } {
  if (part.ok) return {};
  const { kind, status = 0 } = part.failure;
  const lasting = kind === 'token' || status === 501 || (status >= 400 && status < 500);
  return lasting && status !== 429 && status !== 408 ? {} : { incomplete: part.failure };
}

/** Whether the deployment has no such thing at all, so that nothing is missed. */
function isAbsent(failure: Failure): boolean {
  return failure.status === 404 || failure.status === 501;
}
