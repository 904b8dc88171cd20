/** Activation of Aplomb and of an extension that only starts a language client, in one extension host. */
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { Context } from '../../../../client/src/context.ts';
import type { Activation } from '../figures.ts';
import { threadTime } from '../longestBlock.ts';
import type { Started } from './languageClientOnly.ts';

async function timedActivation<T>(
  id: string,
  start: (exported: T) => Promise<void>,
): Promise<Activation> {
  const extension = vscode.extensions.getExtension<T>(id);
  if (extension === undefined) throw new Error(`The extension ${id} is not installed.`);
  if (extension.isActive) throw new Error(`The extension ${id} is active already.`);
  // What the one before has set off is over.
  await sleep(3_000);
  const [from, busyFrom] = [performance.now(), threadTime()];
  const exported = await extension.activate();
  const running = start(exported);
  const activated = threadTime() - busyFrom;
  await running;
  return { activated, running: performance.now() - from };
}

const ours = () => timedActivation<Context>('aplomb.aplomb', ({ language }) => language.start());
const plain = (id: string) => timedActivation<Started>(id, ({ started }) => started);

export async function activations(
  oursFirst: boolean,
): Promise<{ ours: Activation; theirs: Activation }> {
  // The first extension that starts a process pays for what Node and VS Code load then.
  await plain('bench.warmup');
  if (oursFirst) return { ours: await ours(), theirs: await plain('bench.plain') };
  const theirs = await plain('bench.plain');
  return { ours: await ours(), theirs };
}
