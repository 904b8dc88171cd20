// Codes of the notices in query results and ingest responses. Not in the spec.

/** Codes known from public sources. The service has more, such as `apl_…` for compiler warnings. */
export const MESSAGE_CODES = {
  virtualField: 'virtual_field_finalize_error',
  missingColumn: 'missing_column',
  window: 'license_limit_for_query_warning',
  defaultLimit: 'default_limit_warning',
  /** Local deployment only: `defaultOrder` names an unknown field of the result. */
  defaultOrder: 'default_order_unknown_field',
  /** Local deployment and client: the result or the events left their region. */
  leftRegion: 'result_left_region',
  /** Local deployment only: a pattern in the query matches an unusable view. */
  view: 'view_left_out',
} as const;
