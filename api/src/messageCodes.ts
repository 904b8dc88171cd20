// Codes of the notices in query results and ingest responses. Not in the spec.

/** Codes known from public sources. The service has more, such as the `apl_…` codes of compiler warnings. */
export const MESSAGE_CODES = {
  virtualField: 'virtual_field_finalize_error',
  missingColumn: 'missing_column',
  window: 'license_limit_for_query_warning',
  defaultLimit: 'default_limit_warning',
  /** Local deployment only: the result doesn't have a field that `defaultOrder` names. */
  defaultOrder: 'default_order_unknown_field',
  /** From the local deployment and the client: the result or the events left the region where the data is stored. */
  leftRegion: 'result_left_region',
  /** Local deployment only: a pattern in the query matches a view that can't be used. */
  view: 'view_left_out',
} as const;
