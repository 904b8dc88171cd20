/** The channel of the page that describes the fields of a dataset. */
import { boolean, type Checked, list, nothing, object, text } from '../webview/checks.ts';
import { contract, request } from '../webview/contract.ts';

const MAX_FIELDS = 10_000;
const name = text(1_000);

const fieldChange = object(
  { name },
  { unit: text(100), description: text(20_000), hidden: boolean },
);
const fieldChanges = object({
  fields: list(fieldChange, MAX_FIELDS),
  addedMaps: list(name, MAX_FIELDS),
  removedMaps: list(name, MAX_FIELDS),
});
/** What a person has changed of a field; what is absent is as it was. */
export type FieldChange = Checked<typeof fieldChange>;
export type FieldChanges = Checked<typeof fieldChanges>;

export interface DescribedField {
  readonly name: string;
  /** In the words of queries. */
  readonly type: string;
  readonly isMap: boolean;
  /** Whether its values may be numbers, so that a unit makes sense. */
  readonly isNumber: boolean;
  /** Empty where it has none. */
  readonly unit: string;
  readonly description: string;
  readonly hidden: boolean;
}

export interface FieldsState {
  readonly fields: readonly DescribedField[];
  /** The names of the map fields; absent where the deployment does not list them. */
  readonly mapFields?: readonly string[];
  /** Names with invisible characters, each with its visible form. */
  readonly shownNames: readonly (readonly [name: string, shown: string])[];
}

export interface Loaded extends FieldsState {
  readonly dataset: string;
  readonly deployment: string;
  /** Changes that were not saved when the page was last there. */
  readonly draft: FieldChanges;
  /** The field to begin with. */
  readonly focus?: string;
}

/** A change that is not saved. */
export interface SaveFailure {
  readonly kind: 'field' | 'map';
  readonly name: string;
  readonly message: string;
}

export interface Saved {
  readonly failures: readonly SaveFailure[];
  /** As the deployment has them now; absent where they could not be listed again. */
  readonly state?: FieldsState;
}

export interface FieldsHostEvents {
  readonly focus: { readonly field: string };
}

export const fieldsContract = contract<FieldsHostEvents>()({
  requests: {
    load: request<Loaded>()(nothing),
    save: request<Saved>()(fieldChanges),
  },
  fromPage: { draft: fieldChanges },
});
export type FieldsContract = typeof fieldsContract;

export const noChanges: FieldChanges = { fields: [], addedMaps: [], removedMaps: [] };

export function changeCount({ fields, addedMaps, removedMaps }: FieldChanges): number {
  return fields.length + addedMaps.length + removedMaps.length;
}
