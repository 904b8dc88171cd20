// The query that counts events of which it is not known whether they are stored: those that arrived while the
// file was sent, less those that are known to be stored.

import { counted } from '../../../../formats/src/counts.ts';
import type { RunReport } from '../../../../ingest/src/contract.ts';
import { linesInWords } from '../amounts.ts';

export interface DoubtQuery {
  readonly report: RunReport;
  /** The dataset as a query names it. */
  readonly source: string;
  /** RFC 3339: when sending began and ended, by the clock of the service. */
  readonly from: string;
  readonly to: string;
}

const RANGES_NAMED = 10;

export function doubtQuery({ report, source, from, to }: DoubtQuery): string {
  const { doubt, stored, file } = report;
  const events = doubt.reduce((sum, range) => sum + range.events, 0);
  const places = doubt
    .slice(0, RANGES_NAMED)
    .map(({ firstLine, lastLine }) => linesInWords(firstLine, lastLine));
  const more = doubt.length > RANGES_NAMED ? ` and ${doubt.length - RANGES_NAMED} more places` : '';
  return `// ${counted(stored, 'event')} of ${file.replaceAll(/[\r\n]/g, ' ')} ${stored === 1 ? 'is' : 'are'} stored. ${counted(events, 'event')} on ${places.join(', ')}${more} ${events === 1 ? 'is' : 'are'} in doubt.
// This counts what arrived in ${source} while the file was sent. It includes events from other senders.
${source}
| where _sysTime between (datetime(${from}) .. datetime(${to}))
| summarize arrived = count()
| extend stored = ${stored}, in_doubt = ${events}, in_doubt_that_arrived = arrived - ${stored}
`;
}
