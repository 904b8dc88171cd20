// A process for tests of the history, in place of a window: appends entries to a file, or rewrites it repeatedly.
// Arguments: the file, `append` or `rewrite`, a prefix of the entries' ids, and the number of repetitions.
import { HistoryFile } from '../../../client/src/history/historyFile.ts';

const [path = '', mode, prefix = '', times = '0'] = process.argv.slice(2);
const file = new HistoryFile(path);
for (let n = 0; n < Number(times); n += 1) {
  if (mode === 'rewrite') await file.rewrite((entries) => entries);
  else
    await file.append({
      id: `${prefix}${n}`,
      askedAt: n,
      title: 'a query',
      query: "['logs'] | count",
      deployment: 'Local',
      range: 'last 1 hour',
      outcome: 'result',
      milliseconds: 1,
    });
}
