/** Run by VS Code in its extension host: measures and writes the figures to the file that is asked for. */
import { writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { endOf, openApl } from '../../../host/editing.ts';
import { withWindow } from '../../../host/window.ts';
import type { Figures, SuiteOptions } from '../figures.ts';
import { activations } from './activation.ts';
import { hostBlocks } from './blocks.ts';
import { shortAnswer } from './queries.ts';
import { keysToRows, resultsFrame, runsToRows } from './runs.ts';

export async function run(): Promise<void> {
  const options = JSON.parse(process.env.APLOMB_BENCH ?? '') as SuiteOptions;
  const activation = await activations(options.oursFirst);
  const figures: Figures = {
    ...activation,
    ...(options.work && { work: await work(options.work) }),
  };
  writeFileSync(options.figures, JSON.stringify(figures));
}

async function work({
  rows,
  exportTo,
}: NonNullable<SuiteOptions['work']>): Promise<NonNullable<Figures['work']>> {
  await vscode.commands.executeCommand('aplomb.setTimeRange', '5y');
  await openApl(shortAnswer);
  await endOf('aplomb.runQuery');
  return withWindow(async (page) => {
    const keyToRows = await keysToRows(page);
    console.log('bench: keys to rows are measured');
    const runToRows = await runsToRows(page, rows);
    console.log('bench: runs to rows are measured');
    const blocks = await hostBlocks(await resultsFrame(page), rows, exportTo);
    return { keyToRows, runToRows, blocks };
  });
}
