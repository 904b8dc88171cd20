// A process for the tests of the history, as a window is one: appends entries to a file, or rewrites it again and again.
// Arguments: the file, `append` or `rewrite`, a prefix for the entries, and how many times.
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
