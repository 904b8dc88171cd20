/** Combines a chart's question with the language server's analysis of its query. */
import type { QueryFacts } from '../../../../server/src/protocol.ts';
import type { Query } from '../../query/query.ts';
import type { CardQuestion } from './cards.ts';

/** `facts` is the language server's analysis; undefined if the server does not answer. */
export function chartQuery(
  { title, apl, variables }: CardQuestion,
  facts: Pick<QueryFacts, 'statesColumnOrder' | 'datasets'> | undefined,
): Query {
  return {
    text: apl,
    title,
    statesColumnOrder: facts?.statesColumnOrder ?? true,
    // Pass the datasets, because they determine the edge deployment.
    ...(facts && { datasets: facts.datasets }),
    ...(variables && { variables }),
  };
}
