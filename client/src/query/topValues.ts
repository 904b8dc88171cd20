// Shows the most frequent values of a field or of a column of a result. The query runs without a document, and its
// result is a list of bars until a person chooses otherwise.

import type { TabQuery } from '../answers/tabs.ts';
import type { Context } from '../context.ts';
import { resultsTimeZone } from '../host/settings.ts';
import { rangeText } from '../time/timeRange.ts';
import { showInformationMessage } from '../ui/notifications.ts';
import { topQueryOfColumn, topQueryOfField } from './topQuery.ts';

type Parts = Pick<Context, 'language' | 'runner' | 'timeRange'>;

/** Shows the top values of a field of a dataset, in the deployment and the range of the window. */
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

/** Shows the top values of a column of a query's result, in the deployment and the range of the query. */
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
