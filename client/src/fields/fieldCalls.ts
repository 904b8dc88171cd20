// The field form's requests. Each change has its own request, so that a rejected change doesn't block others.
import type { ReadResponse } from '../../../api/src/index.ts';
import { concurrently } from '../host/concurrently.ts';
import type { Failure, Outcome } from '../service/failure.ts';
import type { Service } from '../service/service.ts';
import type { FieldChanges, FieldsState, ListedField, SaveFailure } from './fieldsContract.ts';

const AT_ONCE = 4;

export async function listFields(service: Service, dataset: string): Promise<Outcome<FieldsState>> {
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

interface SaveParts {
  readonly service: Service;
  readonly dataset: string;
  readonly listed: readonly ListedField[];
  readonly describe: (failure: Failure) => string;
}

export async function saveChanges(
  { service, dataset, listed, describe }: SaveParts,
  { fields, addedMaps, removedMaps }: FieldChanges,
): Promise<SaveFailure[]> {
  const params = { dataset_id: dataset };
  const known = new Map(listed.map((field) => [field.name, field]));
  const failures: SaveFailure[] = [];
  const calls = [
    ...fields.map((change) => ({
      kind: 'field' as const,
      name: change.name,
      send: async () => {
        const { name } = change;
        const field = known.get(name);
        if (field === undefined) {
          const message = `The dataset '${dataset}' no longer has a field with this name.`;
          failures.push({ kind: 'field', name, message });
          return;
        }
        return service.call('updateField', {
          params: { ...params, field_id: name },
          body: { ...field, ...change },
        });
      },
    })),
    ...addedMaps.map((name) => ({
      kind: 'map' as const,
      name,
      send: () => service.call('createMapField', { params, body: { name } }),
    })),
    ...removedMaps.map((name) => ({
      kind: 'map' as const,
      name,
      send: () => service.call('deleteMapField', { params: { ...params, map_field_name: name } }),
    })),
  ];
  await concurrently(calls, AT_ONCE, async ({ kind, name, send }) => {
    const answer = await send();
    if (answer?.ok === false) failures.push({ kind, name, message: describe(answer.failure) });
  });
  return failures;
}
