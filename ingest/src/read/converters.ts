// The converter that a file's settings need; none where lines of JSON are sent as they are.
import type { FileSource } from '../contract.ts';
import type { ReadSettings } from '../settings.ts';
import type { Converter } from './convert/converter.ts';
import { CsvConverter } from './convert/csvRow.ts';
import { JsonConverter } from './convert/jsonObject.ts';
import { LogfmtConverter } from './convert/logfmt.ts';
import { MessageConverter } from './convert/message.ts';
import { type CsvHeader, csvHeader } from './header.ts';
import { convertsTimes } from './request.ts';

/** `strict` where JSON is to be rewritten so that any service takes it. */
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

/** The header of a CSV file; undefined for other formats. */
export async function headerOf(
  source: FileSource,
  settings: ReadSettings,
): Promise<CsvHeader | undefined> {
  return settings.format === 'csv' ? csvHeader(source, settings) : undefined;
}
