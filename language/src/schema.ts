/** The known datasets and fields. A name that is missing from an incomplete list isn't reported as unknown. */

/** A dataset field as listed by the service. `type` is a wire type such as `integer` or `integer|string`. */
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
  /** Whether `fields` is complete. Defaults to true. */
  readonly complete?: boolean;
}

export interface Schema {
  readonly datasets: readonly DatasetSchema[];
  /** Whether `datasets` includes all datasets and views. Defaults to false. */
  readonly complete?: boolean;
}
