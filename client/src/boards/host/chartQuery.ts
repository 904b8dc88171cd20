/** The query of a chart as it is asked, with what the language server says of it. */
import type { QueryFacts } from '../../../../server/src/protocol.ts';
import type { Query } from '../../query/query.ts';
import type { CardQuestion } from './cards.ts';

/** Facts are undefined where the language server does not answer. */
export function chartQuery(
  { title, apl, variables }: CardQuestion,
  facts: Pick<QueryFacts, 'statesColumnOrder' | 'datasets'> | undefined,
): Query {
  return {
    text: apl,
    title,
    statesColumnOrder: facts?.statesColumnOrder ?? true,
    // They say which edge deployment is asked.
    ...(facts && { datasets: facts.datasets }),
    ...(variables && { variables }),
  };
}
