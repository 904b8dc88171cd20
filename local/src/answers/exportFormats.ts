/** The formats of exported files, with their media types. */
export const exportFormats = {
  parquet: 'application/vnd.apache.parquet',
  ndjson: 'application/x-ndjson',
} as const;

export type ExportFormat = keyof typeof exportFormats;

export function isExportFormat(name: string): name is ExportFormat {
  return Object.hasOwn(exportFormats, name);
}
