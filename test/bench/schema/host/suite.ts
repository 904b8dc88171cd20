/** Run by VS Code in its extension host: the start of the extension, and what it then knows from disk. */
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { Context } from '../../../../client/src/context.ts';
import { threadTime } from '../../workbench/longestBlock.ts';

export interface StartFigures {
  /** Processor time of the thread of the extension host, in milliseconds. */
  readonly activated: number;
  /** By the clock, until the language server runs. */
  readonly running: number;
  /** Processor time of the same thread until datasets, and the fields of one, are given out. */
  readonly listed: number;
}

export async function run(): Promise<void> {
  const options = JSON.parse(process.env.APLOMB_BENCH ?? '') as {
    readonly figures: string;
    readonly datasets: number;
  };
  const extension = vscode.extensions.getExtension<Context>('aplomb.aplomb');
  if (extension === undefined || extension.isActive) throw new Error('Aplomb is active already.');
  // What VS Code does at its own start is over.
  await sleep(3_000);
  const [from, busyFrom] = [performance.now(), threadTime()];
  const { language, schema } = await extension.activate();
  const starting = language.start();
  const activated = threadTime() - busyFrom;
  await starting;
  const running = performance.now() - from;
  await sleep(1_000);
  const listedFrom = threadTime();
  const known = await schema.datasetsNow();
  const fields = await schema.fieldsNow('service-7-logs');
  const listed = threadTime() - listedFrom;
  const found = known?.datasets.length ?? 0;
  if (found < options.datasets) throw new Error(`Only ${found} datasets were on disk.`);
  if (options.datasets > 0 && (fields?.fields.length ?? 0) < 100)
    throw new Error('The fields were not on disk.');
  const figures: StartFigures = { activated, running, listed };
  writeFileSync(options.figures, JSON.stringify(figures));
}
