// Shows the most frequent values of a field or a result's column. The query has no document, and its result is first
// shown as a list of bars.

import type { TabQuery } from '../answers/tabs.ts';
import type { Context } from '../context.ts';
import { resultsTimeZone } from '../host/settings.ts';
import { rangeText } from '../time/timeRange.ts';
import { showInformationMessage } from '../ui/notifications.ts';
import { topQueryOfColumn, topQueryOfField } from './topQuery.ts';

type Parts = Pick<Context, 'language' | 'runner' | 'timeRange'>;

/** Shows a field's top values, using the window's deployment and time range. */
export async function topValuesOfField(
  { language, runner }: Parts,
  dataset: string,
  field: string,
): Promise<void> {
  const [source, name] = await Promise.all([
    language.quoteName(dataset),
    language.quoteName(field),
  ]);
  const counted = { name: field, quoted: name };
  await runner.run([topQueryOfField({ name: dataset, quoted: source }, counted)]);
}

/** Shows a column's top values, using its query's deployment and time range. */
export async function topValuesOfColumn(
  { language, runner, timeRange }: Parts,
  query: TabQuery,
  column: string,
): Promise<void> {
  if (query.text.trim() === '')
    return void showInformationMessage(
      'The values cannot be counted, because this result has no query.',
    );
  const quoted = await language.quotePath(column, []);
  const range = query.rangeText ?? rangeText(timeRange.of(query.place?.uri), resultsTimeZone());
  await runner.run([topQueryOfColumn(query, { name: column, quoted }, range)]);
}
