// The most frequent values of a field or of a column of a result, as a query that runs without a document. Its result
// is a list of bars until a person chooses otherwise.
import type { Context } from '../context.ts';
import type { TabQuery } from '../results/tabs.ts';
import { resultsTimeZone } from '../settings.ts';
import { rangeText } from '../timeRange.ts';
import { showInformationMessage } from '../ui/messages.ts';
import type { Query } from './query.ts';

type Parts = Pick<Context, 'language' | 'runner' | 'timeRange'>;

const valuesMax = 20;

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
  const text = `${source}\n${topStages(field, name)}`;
  await runner.run([{ ...topQuery(text, `${dataset}: ${field}`), datasets: [dataset] }]);
}

/** Shows the top values of a column of a query's result, in the deployment and the range of the query. */
export async function topValuesOfColumn(
  { language, runner, timeRange }: Parts,
  query: TabQuery,
  column: string,
): Promise<void> {
  if (query.text.trim() === '')
    return void showInformationMessage('This result has no query to count the values with.');
  const name = await language.quotePath(column, []);
  const { deployment, datasets, variables, place } = query;
  const range = query.rangeText ?? rangeText(timeRange.of(place?.uri), resultsTimeZone());
  // A statement may end with a semicolon, after which stages would be a statement of their own.
  const text = `${query.text.replace(/[;\s]+$/, '')}\n${topStages(column, name)}`;
  await runner.run([
    {
      ...topQuery(text, `${query.title}: ${column}`),
      rangeText: range,
      ...(deployment !== undefined && { deployment }),
      ...(datasets && { datasets }),
      ...(variables && { variables }),
    },
  ]);
}

function topStages(column: string, quoted: string): string {
  const count = column === 'events' ? 'count_' : 'events';
  return `| summarize ${count} = count() by ${quoted}\n| top ${valuesMax} by ${count}`;
}

function topQuery(text: string, of: string): Query {
  return { text, title: `Top values of ${of}`, statesColumnOrder: true, chartFirst: true };
}
