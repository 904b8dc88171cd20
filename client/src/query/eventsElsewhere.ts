// Finds a query's events outside its time range if its datasets have none within it.

import { plural } from '../../../formats/src/counts.ts';
import type { ResultTabState, TabId } from '../answers/tabs.ts';
import { allTimes, fetchExtent, recentTimes } from '../service/extent.ts';
import type { Service } from '../service/service.ts';
import { covers, extentInWords, rangeAround } from '../time/extentWords.ts';
import type { TimeRange } from '../time/timeRange.ts';
import { inWords } from '../words/lists.ts';
import { endsInWords } from '../words/timeText.ts';

interface NothingRead {
  readonly service: Service;
  readonly local: boolean;
  readonly datasets: readonly string[];
  readonly range: TimeRange;
  readonly tab: TabId;
}

/** The maximum number of datasets. A query that uses more gets no hint. */
const DATASETS_MAX = 10;

/** The command that sets a time range and runs the query of a tab again. */
export const runInRange = 'aplomb.runLastQueryInRange';

/** Returns a hint with the events' time range and a button that queries it; undefined without such events. */
export async function eventsElsewhere({
  service,
  local,
  datasets,
  range,
  tab,
}: NothingRead): Promise<ResultTabState['hint']> {
  if (datasets.length === 0 || datasets.length > DATASETS_MAX) return undefined;
  const extent = await fetchExtent(service, datasets, local ? allTimes : recentTimes);
  if (!extent.ok || extent.value === undefined || covers(range, extent.value)) return undefined;
  const has = plural(datasets.length, 'has', 'have');
  return {
    message: `${inWords(datasets)} ${has} no events in this time range, but ${extentInWords(extent.value)}.`,
    actions: [
      {
        label: `Query ${endsInWords(extent.value)}`,
        command: runInRange,
        arguments: [rangeAround(extent.value), tab],
      },
    ],
  };
}
