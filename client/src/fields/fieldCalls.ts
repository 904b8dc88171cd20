// Requests of the field form: lists fields, and sends one request per change so that a rejected one doesn't block
// others.
import type { ReadResponse } from '../../../api/src/index.ts';
import { visibleText } from '../../../table/src/visibleText.ts';
import type { Failure, Outcome } from '../api/failure.ts';
import type { Service } from '../api/service.ts';
import { typeName } from '../schema/fieldTypes.ts';
import type {
  DescribedField,
  FieldChange,
  FieldChanges,
  FieldsState,
  SaveFailure,
} from './contract.ts';

/** A field of the service. Its type is sent back with a change. */
interface ListedField {
  readonly name: string;
  readonly type: string;
  readonly unit: string;
  readonly description: string;
  readonly hidden: boolean;
}

export interface Listed {
  readonly fields: readonly ListedField[];
  readonly mapFields?: readonly string[];
}

const AT_ONCE = 4;

export async function listFields(service: Service, dataset: string): Promise<Outcome<Listed>> {
  const params = { dataset_id: dataset };
  const [fields, maps] = await Promise.all([
    service.call('listFields', { params }),
    service.call('listMapFields', { params }),
  ]);
  if (!fields.ok) return fields;
  const mapFields = maps.ok ? { mapFields: maps.value.typed } : {};
  return { ok: true, value: { fields: fields.value.typed.map(listedField), ...mapFields } };
}

function listedField(field: ReadResponse<'listFields'>[number]): ListedField {
  const { name, type, unit, description, hidden } = field;
  return {
    name,
    type: type || 'unknown',
    unit: unit && unit !== 'none' ? unit : '',
    description: description ?? '',
    hidden: hidden ?? false,
  };
}

export function stateOf({ fields, mapFields }: Listed): FieldsState {
  return {
    fields: fields
      .map(describedField)
      .sort((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0)),
    ...(mapFields && { mapFields }),
    shownNames: shownNames([...fields.map(({ name }) => name), ...(mapFields ?? [])]),
  };
}

/** Returns names of fields and implied objects with invisible characters, each with its visible form. */
function shownNames(names: readonly string[]): FieldsState['shownNames'] {
  const hiding = names.filter((name) => visibleText(name) !== name);
  return hiding.flatMap((name) => {
    const parts = name.split('.');
    return parts.map((_, index) => {
      const part = parts.slice(0, index + 1).join('.');
      return [part, visibleText(part)] as const;
    });
  });
}

const numberTypes = new Set(['integer', 'float', 'int', 'float64', 'double', 'unknown']);

function describedField({ name, type, unit, description, hidden }: ListedField): DescribedField {
  const types = type.split('|').map((part) => part.trim());
  return {
    name,
    type: typeName(type),
    isMap: types.some((one) => one === 'map' || one === 'dictionary'),
    isNumber: types.some((one) => numberTypes.has(one)),
    unit,
    description,
    hidden,
  };
}

interface SaveParts {
  readonly service: Service;
  readonly dataset: string;
  readonly listed: readonly ListedField[];
  readonly describe: (failure: Failure) => string;
}

/** Saves all changes and returns those that failed. */
export async function saveChanges(
  parts: SaveParts,
  { fields, addedMaps, removedMaps }: FieldChanges,
): Promise<SaveFailure[]> {
  const { service, dataset, describe } = parts;
  const params = { dataset_id: dataset };
  type Call = () => Promise<SaveFailure | undefined>;
  const map =
    (name: string, call: () => Promise<Outcome<unknown>>): Call =>
    async () => {
      const answer = await call();
      return answer.ok ? undefined : { kind: 'map', name, message: describe(answer.failure) };
    };
  const calls: Call[] = [
    ...fields.map((change) => () => saveField(parts, change)),
    ...addedMaps.map((name) =>
      map(name, () => service.call('createMapField', { params, body: { name } })),
    ),
    ...removedMaps.map((name) =>
      map(name, () =>
        service.call('deleteMapField', { params: { ...params, map_field_name: name } }),
      ),
    ),
  ];
  const failures: SaveFailure[] = [];
  const work = async () => {
    for (let call = calls.shift(); call !== undefined; call = calls.shift()) {
      const failure = await call();
      if (failure !== undefined) failures.push(failure);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return failures;
}

async function saveField(
  { service, dataset, listed, describe }: SaveParts,
  change: FieldChange,
): Promise<SaveFailure | undefined> {
  const { name } = change;
  const known = listed.find((field) => field.name === name);
  if (known === undefined) {
    return {
      kind: 'field',
      name,
      message: `The dataset '${dataset}' no longer has a field with this name.`,
    };
  }
  const answer = await service.call('updateField', {
    params: { dataset_id: dataset, field_id: name },
    body: { ...known, ...change },
  });
  return answer.ok ? undefined : { kind: 'field', name, message: describe(answer.failure) };
}
