/** The longest blocks of the extension host while many rows arrive, are ordered, filtered and exported. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Frame } from 'playwright-core';
import { answerIn } from '../../../../client/src/answers/slots.ts';
import { context, endOf, openApl } from '../../../host/editing.ts';
import type { Figures } from '../figures.ts';
import { type Block, longestBlock } from '../longestBlock.ts';
import { twentyColumns } from './queries.ts';

type Blocks = NonNullable<Figures['work']>['blocks'];

export async function hostBlocks(frame: Frame, rows: number, exportTo: string): Promise<Blocks> {
  const { store, tabs } = context();
  await openApl(twentyColumns(rows));
  // What follows the opening of a document is over.
  await sleep(3_000);
  const idle = await longestBlock(() => sleep(3_000));
  const arriving = await longestBlock(async () => {
    const end = await endOf('aplomb.runQuery');
    if (end.kind !== 'result') throw new Error(`The run ended with ${JSON.stringify(end)}.`);
    // The page asks for its windows and summaries.
    await sleep(1_000);
  });
  const answer = tabs.active && answerIn(tabs.active.state);
  const held = answer === undefined ? undefined : store.get(answer);
  const table = held?.head.tables[0];
  if (answer === undefined || table?.rowCount !== rows)
    throw new Error(`The answer has ${table?.rowCount} rows instead of ${rows}.`);
  const place = { answer, table: 0 };
  const column = (name: string) => {
    const found = table.fields.findIndex((field) => field.name === name);
    if (found < 0) throw new Error(`The answer has no column ${name}.`);
    return found;
  };
  const ordered = await longestBlock(async () => {
    const isOrdered = new Promise<void>((resolve) => {
      const listening = store.onDidChange((event) => {
        if (event.type !== 'changed' || event.answer.id !== answer) return;
        if (!event.answer.viewState.tables[0]?.order.length) return;
        listening.dispose();
        resolve();
      });
    });
    await frame.evaluate(() => {
      const headers = [...document.querySelectorAll<HTMLElement>('.slick-header-column')];
      headers.find((header) => header.textContent?.includes('message'))?.click();
    });
    await isOrdered;
    await sleep(1_000);
  });
  const filtered = await longestBlock(() =>
    store.rows('arrange', {
      ...place,
      order: [{ column: column('duration'), descending: true }],
      filters: [
        {
          column: column('message'),
          kind: 'text',
          match: 'contains',
          text: 'retries',
          caseSensitive: false,
        },
        { column: column('status'), kind: 'number', from: '300' },
      ],
    }),
  );
  let reports = 0;
  const exported: Block = await longestBlock(() =>
    store.rows(
      'export',
      {
        ...place,
        format: 'csv',
        options: {},
        path: exportTo,
        name: 'events',
        columns: table.fields.map((_, index) => index),
        allRows: true,
      },
      {
        onProgress: () => {
          reports++;
        },
      },
    ),
  );
  if (reports === 0) throw new Error('The export reported no progress.');
  return { idle, arriving, ordered, filtered, exported };
}
