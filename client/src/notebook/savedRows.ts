// Formats saved rows for a page, and the run for the plain text that VS Code draws without the page.
import { shownText } from '../../../table/src/cells.ts';
import { visibleText } from '../../../table/src/visibleText.ts';
import { dateText, type TimeZone, timeOfDay } from '../time/timeZone.ts';
import type { KeptOutput, KeptRunFacts } from './file.ts';
import type { SavedRows } from './shownOutput.ts';

export function savedRows({ columns, rows, rowCount, run }: KeptOutput, zone: TimeZone): SavedRows {
  return {
    columns,
    rows: rows.map((row) => row.map((cell, at) => shownText(cell, columns[at]?.type ?? ''))),
    rowCount,
    run: run === undefined ? [] : runInWords(run, zone),
  };
}

function runInWords(run: KeptRunFacts, zone: TimeZone): string[] {
  const { time, range, deployment, parameters = '' } = run;
  const at = Date.parse(time);
  const words = [`run ${dateText(at, zone)} ${timeOfDay(at, zone)}`, range, deployment, parameters];
  return words.map(visibleText).filter((text) => text !== '');
}
