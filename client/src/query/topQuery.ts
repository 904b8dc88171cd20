/** The query that counts the most frequent values of a field or of a column of a result. Free of vscode. */
import type { TabQuery } from '../answers/tabs.ts';
import type { Query } from './query.ts';

const valuesMax = 20;

/** A column or a field by its name, and as a query names it. */
interface Counted {
  readonly name: string;
  readonly quoted: string;
}

export function topQueryOfField(dataset: Counted, field: Counted): Query {
  const text = `${dataset.quoted}\n${topStages(field)}`;
  return { ...topQuery(text, `${dataset.name}: ${field.name}`), datasets: [dataset.name] };
}

/** Counts the values of a column in the rows of its query, in the deployment of the query and in a range. */
export function topQueryOfColumn(query: TabQuery, column: Counted, rangeText: string): Query {
  const { deployment, datasets, variables } = query;
  // A statement may end with a semicolon, after which stages would be a statement of their own.
  const text = `${query.text.replace(/[;\s]+$/, '')}\n${topStages(column)}`;
  return {
    ...topQuery(text, `${query.title}: ${column.name}`),
    rangeText,
    ...(deployment !== undefined && { deployment }),
    ...(datasets && { datasets }),
    ...(variables && { variables }),
  };
}

function topStages({ name, quoted }: Counted): string {
  const count = name === 'events' ? 'count_' : 'events';
  return `| summarize ${count} = count() by ${quoted}\n| top ${valuesMax} by ${count}`;
}

function topQuery(text: string, of: string): Query {
  return { text, title: `Top values of ${of}`, statesColumnOrder: true, chartFirst: true };
}
