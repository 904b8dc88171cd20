// Selects the converter for a file's settings; none if lines of JSON are sent unchanged.
import type { FileSource } from '../contract.ts';
import type { ReadSettings } from '../settings.ts';
import type { Converter } from './convert/converter.ts';
import { CsvConverter } from './convert/csvRow.ts';
import { JsonConverter } from './convert/jsonObject.ts';
import { LogfmtConverter } from './convert/logfmt.ts';
import { MessageConverter } from './convert/message.ts';
import { type CsvHeader, csvHeader } from './header.ts';
import { convertsTimes } from './request.ts';

/** Returns the converter. `strict` rewrites JSON so that any service accepts it. */
export function converterOf(
  settings: ReadSettings,
  header: CsvHeader | undefined,
  strict = false,
): Converter | undefined {
  const { format, csv } = settings;
  const time = convertsTimes(settings) ? settings.time : undefined;
  switch (format) {
    case 'ndjson':
    case 'json':
      return format === 'ndjson' && time === undefined && !strict
        ? undefined
        : new JsonConverter(time, strict);
    case 'csv':
      return new CsvConverter(
        header?.names ?? [],
        { delimiter: csv?.delimiter ?? ',', types: csv?.types ?? {} },
        time,
        header?.record,
      );
    case 'logfmt':
      return new LogfmtConverter(time);
    case 'lines':
      return new MessageConverter();
  }
}

/** Returns a CSV file's header; undefined for other formats. */
export async function headerOf(
  source: FileSource,
  settings: ReadSettings,
): Promise<CsvHeader | undefined> {
  return settings.format === 'csv' ? csvHeader(source, settings) : undefined;
}
