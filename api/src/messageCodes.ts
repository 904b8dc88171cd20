// The codes of notices, which travel with results and with ingest responses. Not in the spec.

/** Codes known from public sources. Compiler warnings are `apl_…`; the set is open. */
export const MESSAGE_CODES = {
  virtualField: 'virtual_field_finalize_error',
  missingColumn: 'missing_column',
  window: 'license_limit_for_query_warning',
  defaultLimit: 'default_limit_warning',
  /** Of the local deployment alone: `defaultOrder` names a field that the result does not have. */
  defaultOrder: 'default_order_unknown_field',
  /** Of the local deployment alone: the result left the edge deployment that stores the data. */
  leftRegion: 'result_left_region',
  /** Of the local deployment alone: a pattern matches a view that cannot be used. */
  view: 'view_left_out',
} as const;
