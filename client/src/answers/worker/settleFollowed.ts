/** Appends a body's new events to a followed query's table, within the table's limits. */
import { appendRows } from '../../../../table/src/append.ts';
import { arrangedRows } from '../../../../table/src/arrange/arranged.ts';
import { HeldTable } from '../../../../table/src/columns/heldTable.ts';
import { timeText } from '../../../../table/src/columns/timeValues.ts';
import { Following } from '../../../../table/src/following.ts';
import { Invalid } from '../../../../table/src/invalid.ts';
import type { LongTask } from '../../../../table/src/rowSource.ts';
import { trimRows } from '../../../../table/src/trimRows.ts';
import type { Decoded, Follow, TablePlace } from '../protocol.ts';
import type { Answers } from './answers.ts';
import type { Arrived } from './arrival.ts';

interface FollowedBody {
  readonly arrived: Arrived;
  readonly follow: Follow;
  /** The followed query's table. If absent, the body becomes the answer. */
  readonly appendTo: TablePlace | undefined;
}

export async function settleFollowed(
  answers: Answers,
  id: string,
  { arrived, follow, appendTo }: FollowedBody,
  task: LongTask,
): Promise<Decoded> {
  const { head } = arrived;
  const [added] = arrived.tables;
  const [first] = head.tables;
  if (added === undefined || first === undefined) throw new Invalid('The response has no table.');
  const place = appendTo ?? { answer: id, table: 0 };
  if (appendTo === undefined)
    answers.add(id, head, [new HeldTable({ ...first, fields: [], rowCount: 0 }, [])]);
  const target = answers.table(place);
  const { table } = target;
  target.following ??= new Following();
  const { following } = target;
  const taken = target.writing(async () => {
    table.newestFirst = follow.newestFirst;
    const chosen = await following.take(added, follow, task);
    if (chosen.rows.length === 0 && appendTo !== undefined) return chosen;
    await appendRows(table, added, task, chosen);
    await trimRows(table, follow, task);
    // Apply the table's filters and order again, so that the new rows are filtered and sorted too.
    table.arranged = await arrangedRows(table, target.filters, target.order, task);
    target.search = undefined;
    return chosen;
  });
  const found = await taken.catch((error: unknown) => {
    if (appendTo === undefined) answers.drop(id);
    throw error;
  });
  const former = answers.get(place.answer).head;
  const { fields, rowCount, removed } = table;
  const examined = appendTo === undefined ? 0 : (former.status.rowsExamined ?? 0);
  // Drop the requested range, which includes the future and removed events, so that charts cover existing events only.
  const { range: _, ...described } = former.tables[0] ?? first;
  const joined = {
    ...former,
    // A followed table is never loaded page by page, so it has no cursors.
    cursors: {},
    status: {
      ...head.status,
      rowsExamined: examined + (head.status.rowsExamined ?? 0),
      rowsMatched: rowCount,
    },
    messages: head.messages,
    tables: [{ ...described, fields, rowCount, removedRows: removed }],
  };
  answers.replaceHead(place.answer, joined);
  const { earliest, latest } = found;
  return {
    head: joined,
    bytes: answers.bytes(place.answer),
    followed: {
      received: added.rowCount,
      added: found.rows.length,
      ...(earliest !== undefined && { earliest: timeText(earliest) }),
      ...(latest !== undefined && { latest: timeText(latest) }),
    },
  };
}
