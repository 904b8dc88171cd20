/** Handles the user's actions in a chart, such as selecting a range, filtering by a mark or comparing. */

import type { HeldAnswer } from '../../answers/heldAnswer.ts';
import type { AnswerId } from '../../answers/protocol.ts';
import type { ResultTab } from '../../answers/tabs.ts';
import { type FilterCondition, filterCondition } from '../../query/filterCondition.ts';
import type { EventHandlers } from '../../webview/hostChannel.ts';
import type { ResultsContract } from '../resultsContract.ts';
import type { HeldTables } from './heldTables.ts';
import type { AnswersHostParts } from './parts.ts';

export function chartEvents({ effects, charts }: AnswersHostParts, tables: HeldTables) {
  /** Runs `work` for the tab that shows an answer, unless another answer has replaced it. */
  const inTab = (answer: AnswerId, work: (tab: ResultTab, held: HeldAnswer) => unknown) => {
    const tab = tables.tabOf(answer);
    return tab && work(tab, tables.table(answer, 0).held);
  };
  return {
    selectRange: ({ answer, from, to }) =>
      inTab(answer, (tab) => charts?.selectRange(tab, from, to)),
    back: ({ answer }) => inTab(answer, (tab) => charts?.back(tab)),
    annotate: ({ answer, from, to }) =>
      inTab(answer, (_, held) => charts?.annotate(held, from, to)),
    compare: ({ answer, minutes }) =>
      inTab(answer, (tab, held) =>
        charts?.compare(tab, held, minutes === null ? null : { minutes }),
      ),
    filterMark: async ({ answer, table, row, columns, exclude }) => {
      const tab = tables.tabOf(answer);
      if (tab === undefined) return;
      const conditions: FilterCondition[] = [];
      for (const column of columns) {
        const { cell, name, type } = await tables.cell({ answer, table, row, column });
        const { value, text } = cell;
        const condition = filterCondition({ name, type, path: [], value, text, exclude });
        if (condition) conditions.push(condition);
      }
      if (conditions.length === 0)
        return effects.warn(
          'A filter compares single values. The series is named by an object or array.',
        );
      if (conditions.length === 1 || !exclude) return effects.addFilter?.(tab, conditions);
      effects.warn(
        `The series is named by ${conditions.length} columns. Exclude it in the table, by the value of one of them.`,
      );
    },
    savePicture: ({ answer, format, content }) =>
      inTab(answer, (tab) => charts?.savePicture(tab, format, content)),
    inform: ({ message }) => effects.inform(message),
  } satisfies Partial<EventHandlers<ResultsContract>>;
}
