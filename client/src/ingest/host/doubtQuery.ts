// The query that counts events in doubt: all events that arrived while the file was sent, minus the stored events.

import { counted, plural } from '../../../../formats/src/counts.ts';
import type { RunReport } from '../../../../ingest/src/contract.ts';
import { doubtOf, rangesInWords } from '../amounts.ts';

interface DoubtQuery {
  readonly report: RunReport;
  /** The dataset's name as written in a query. */
  readonly source: string;
  /** The start and the end of sending, in RFC 3339 and by the service's clock. */
  readonly from: string;
  readonly to: string;
}

const RANGES_NAMED = 10;

export function doubtQuery({ report, source, from, to }: DoubtQuery): string {
  const { doubt, stored, file } = report;
  const events = doubtOf(report);
  const places = rangesInWords(doubt, RANGES_NAMED, 'places');
  return `// ${counted(stored, 'event')} of ${file.replaceAll(/[\r\n]/g, ' ')} ${plural(stored, 'is', 'are')} stored. ${counted(events, 'event')} on ${places} ${plural(events, 'is', 'are')} in doubt.
// This counts what arrived in ${source} while the file was sent. It includes events from other senders.
${source}
| where _sysTime between (datetime(${from}) .. datetime(${to}))
| summarize arrived = count()
| extend stored = ${stored}, in_doubt = ${events}, in_doubt_that_arrived = arrived - ${stored}
`;
}
