// Codes of the notices in query results and ingest responses. Not in the spec.

/** Codes known from public sources. Other codes exist, such as the `apl_…` codes of compiler warnings. */
export const MESSAGE_CODES = {
  virtualField: 'virtual_field_finalize_error',
  missingColumn: 'missing_column',
  window: 'license_limit_for_query_warning',
  defaultLimit: 'default_limit_warning',
  /** Local deployment only: `defaultOrder` names a field that the result does not have. */
  defaultOrder: 'default_order_unknown_field',
  /**
   * From the local deployment and the client: the result or the events left the region of the edge deployment that
   * stores the data.
   */
  leftRegion: 'result_left_region',
  /** Local deployment only: a pattern matches a view that cannot be used. */
  view: 'view_left_out',
} as const;
