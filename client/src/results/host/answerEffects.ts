// Page actions that need a deployment: filters in the query, top values and further rows.
import type { ChartSession } from '../../charts/host/chartSession.ts';
import type { Context } from '../../context.ts';
import { loadMore } from '../../query/loadMore.ts';
import { topValuesOfColumn } from '../../query/topValues.ts';
import { RequestFailed } from '../../webview/hostChannel.ts';
import type { Effects } from './parts.ts';

type Parts = Pick<Context, 'deployments' | 'language' | 'runner' | 'store' | 'timeRange'>;

export function answerEffects<Range>(
  parts: Parts,
  charts: ChartSession<Range>,
): Pick<Effects, 'addFilter' | 'topValues' | 'loadMore'> {
  return {
    addFilter: (tab, conditions) => charts.addFilter(tab, conditions),
    topValues: ({ query }, column) => topValuesOfColumn(parts, query, column),
    loadMore: async (answer, signal) => {
      const more = await loadMore(parts.deployments, parts.store, answer, signal);
      if (!more.ok) throw new RequestFailed(more.failure.kind, more.failure.message);
    },
  };
}
