// Collects the first rows of results to save with their cells: exact values, limited in number and size.

import type { AnswerAbout } from '../../../table/src/answer.ts';
import type { AnswerId, ExactCell } from '../answers/protocol.ts';
import type { ResultsStore } from '../answers/resultsStore.ts';
import { keepsResults, type Profile } from '../deployments/profiles.ts';
import { parametersText } from '../results/screen.ts';
import type { KeptOutput, KeptRunFacts } from './file.ts';

const ROWS_MAX = 100;
const COLUMNS_MAX = 100;
const CHARACTERS_MAX = 64 * 1024;

export interface CellAnswer {
  readonly answer: AnswerId;
  /** The name of the deployment that returned the answer. */
  readonly deployment: string;
}

type Rows = Pick<ResultsStore, 'get' | 'rows'>;

/** Returns the first rows of a cell's answers. Omits deployments that forbid saving, which notebooks can't override. */
export async function outputsToKeep(
  answers: readonly CellAnswer[],
  store: Rows,
  profileOf: (deployment: string) => Profile | undefined,
): Promise<KeptOutput[]> {
  const kept: KeptOutput[] = [];
  for (const { answer, deployment } of answers) {
    const rows = keepsResults(profileOf(deployment)) ? await rowsToKeep(answer, store) : undefined;
    if (rows) kept.push(rows);
  }
  return kept;
}

/** Returns the first visible rows of an answer; undefined if its rows aren't in memory. */
export async function rowsToKeep(answer: AnswerId, store: Rows): Promise<KeptOutput | undefined> {
  const held = store.get(answer);
  const [table] = held?.head.tables ?? [];
  if (table === undefined || held?.state !== 'ready') return undefined;
  const place = { answer, table: 0 };
  // Request row numbers as well, because filters may hide rows.
  const all = { from: 0, to: ROWS_MAX, columns: [], timeZone: 'utc' } as const;
  const { numbers } = await store.rows('window', { ...place, ...all });
  const columns = table.fields.slice(0, COLUMNS_MAX).map(({ name, type }) => ({ name, type }));
  const rows: (readonly (string | null)[])[] = [];
  let characters = 0;
  for (const row of numbers.keys()) {
    const { cells } = await store.rows('row', { ...place, row });
    const texts = columns.map((_, column) => exactText(cells[column]));
    characters += texts.reduce((sum, text) => sum + (text ?? 'null').length, 0);
    if (characters > CHARACTERS_MAX) break;
    rows.push(texts);
  }
  return { columns, rows, rowCount: table.rowCount, run: runOf(held.about) };
}

function runOf(about: AnswerAbout): KeptRunFacts {
  const { askedAt, startTime, endTime, rangeLabel, deployment, variables = {} } = about;
  const parameters = parametersText(variables);
  return {
    time: new Date(askedAt).toISOString().replace(/\.\d+/, ''),
    // Use times instead of the label, because the label's times would be ambiguous in another time zone.
    range: startTime.startsWith('now') ? rangeLabel : `${startTime} to ${endTime}`,
    deployment,
    ...(parameters !== '' && { parameters }),
  };
}

function exactText(cell: ExactCell | undefined): string | null {
  return cell === undefined || cell.value === null ? null : cell.text;
}
