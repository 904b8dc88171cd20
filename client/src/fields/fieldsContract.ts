// The contract between the page that edits a dataset's fields and its host.
import { boolean, type Checked, list, nothing, object, text } from '../webview/checks.ts';
import { contract, request } from '../webview/pageContract.ts';

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
export type FieldChange = Checked<typeof fieldChange>;
export type FieldChanges = Checked<typeof fieldChanges>;

export interface ListedField {
  readonly name: string;
  /** The service's name for the type. An update sends it back unchanged. */
  readonly type: string;
  readonly unit: string;
  readonly description: string;
  readonly hidden: boolean;
}

export interface FieldsState {
  readonly fields: readonly ListedField[];
  /** The names of the map fields; absent if the deployment doesn't list them. */
  readonly mapFields?: readonly string[];
}

export interface Loaded extends FieldsState {
  readonly dataset: string;
  readonly deployment: string;
  /** Unsaved changes made before the page was closed. */
  readonly draft: FieldChanges;
  readonly focus?: string;
}

export interface SaveFailure {
  readonly kind: 'field' | 'map';
  readonly name: string;
  readonly message: string;
}

export interface Saved {
  readonly failures: readonly SaveFailure[];
  /** The deployment's current fields; absent if they could not be listed. */
  readonly state?: FieldsState;
}

export const fieldsContract = contract<{ readonly focus: { readonly field: string } }>()({
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
