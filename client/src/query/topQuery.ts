/** Builds queries that count the most frequent values of a field or a result's column. Independent of VS Code. */
import type { TabQuery } from '../answers/tabs.ts';
import type { Query } from './query.ts';

const valuesMax = 20;

/** The name of a column, field or dataset, and its form in a query, quoted if necessary. */
interface Counted {
  readonly name: string;
  readonly quoted: string;
}

export function topQueryOfField(dataset: Counted, field: Counted): Query {
  const text = `${dataset.quoted}\n${topStages(field)}`;
  return { ...topQuery(text, `${dataset.name}: ${field.name}`), datasets: [dataset.name] };
}

/** Returns a query that counts a column's values in the rows of its query, for the same deployment. */
export function topQueryOfColumn(query: TabQuery, column: Counted, rangeText: string): Query {
  const { deployment, datasets, variables } = query;
  // Remove a trailing semicolon, because it would make the added stages a separate statement.
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
