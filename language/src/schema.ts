/**
 * What is known of the datasets a query may name. Missing knowledge never makes an error: a list that
 * is not complete leaves unknown names alone.
 */

/** A field of a dataset as the service lists it; `type` is a wire type such as `integer` or `integer|string`. */
export interface FieldSchema {
  readonly name: string;
  readonly type: string;
  readonly unit?: string;
  readonly description?: string;
  readonly hidden?: boolean;
}

export interface DatasetSchema {
  readonly name: string;
  readonly kind?: 'dataset' | 'view';
  readonly description?: string;
  readonly fields: readonly FieldSchema[];
  /** Whether `fields` holds every field; absent means it does. */
  readonly complete?: boolean;
}

export interface Schema {
  readonly datasets: readonly DatasetSchema[];
  /** Whether `datasets` holds every dataset and view; absent means it does not. */
  readonly complete?: boolean;
}
