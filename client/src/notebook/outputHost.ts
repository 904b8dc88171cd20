/**
 * The host's side of the outputs of cells: tells a page what to draw of an answer, and hands windows of its rows
 * on. Each answer of a cell is a tab that is shown nowhere, so that what is done in a table or a chart finds its
 * query. Free of vscode.
 */
import { HeldTables } from '../results/host/heldTables.ts';
import { pageEvents } from '../results/host/pageEvents.ts';
import type { ResultsHostParts } from '../results/host/parts.ts';
import { rowRequests } from '../results/host/rowRequests.ts';
import { Screens } from '../results/host/screens.ts';
import type { HeldAnswer, StoreEvent } from '../results/store/heldAnswer.ts';
import type { AnswerId } from '../results/store/protocol.ts';
import { HostChannel, type Pipe } from '../webview/hostChannel.ts';
import { type NotebookContract, notebookContract } from './contract.ts';

export class OutputHost {
  readonly #parts: ResultsHostParts;
  readonly #tables: HeldTables;
  readonly #screens: Screens;
  readonly #channels = new Set<HostChannel<NotebookContract>>();
  readonly #subscriptions: { dispose(): void }[];
  /** By answer in words that change when a page must draw it again. */
  readonly #shown = new Map<AnswerId, string>();

  constructor(parts: ResultsHostParts) {
    this.#parts = parts;
    this.#tables = new HeldTables(parts);
    this.#screens = new Screens(parts, this.#tables);
    this.#subscriptions = [
      parts.tabs.onDidChange(({ released }) => {
        for (const id of released) {
          this.#tables.forget(id);
          this.#shown.delete(id);
          // Its rows may have gone with the worker.
          parts.answers.drop(id).catch(() => undefined);
        }
      }),
      parts.answers.onDidChange((event) => this.#storeChanged(event)),
      ...(parts.charts
        ? [
            parts.charts.onDidChange(() => {
              this.refresh();
              for (const channel of this.#channels) channel.send('marksChanged', null);
            }),
          ]
        : []),
    ];
  }

  /** Answers a page until it is disposed of. */
  attach(pipe: Pipe): { dispose(): void } {
    const requests = rowRequests(this.#parts, this.#tables, () => this.refresh());
    const channel: HostChannel<NotebookContract> = new HostChannel({
      contract: notebookContract,
      pipe,
      requests: {
        ...requests,
        screen: async ({ answer }) => {
          const tab = this.#tables.tabOf(answer);
          const held = this.#parts.answers.get(answer);
          if (tab === undefined || held === undefined) return null;
          this.#shown.set(answer, shownText(held));
          const screen = await this.#screens.screen(tab);
          return screen.content?.kind === 'result' ? screen : null;
        },
      },
      events: { ...pageEvents(this.#parts, this.#tables), ready: () => undefined },
      onFailure: ({ message }) => this.#parts.effects.inform(message),
      onProblem: this.#parts.onProblem,
    });
    this.#channels.add(channel);
    return {
      dispose: () => {
        this.#channels.delete(channel);
        channel.dispose();
      },
    };
  }

  /** Has everything drawn again, since a setting has changed. */
  refresh(): void {
    this.#tables.drawnOtherwise();
    for (const answer of this.#shown.keys()) this.#send(answer);
  }

  dispose(): void {
    for (const { dispose } of this.#subscriptions) dispose();
    for (const channel of this.#channels) channel.dispose();
    this.#channels.clear();
  }

  #storeChanged(event: StoreEvent): void {
    if (event.type === 'crashed') {
      this.#tables.clear();
      return this.refresh();
    }
    const id = event.type === 'removed' ? event.id : event.answer.id;
    const shown = this.#shown.get(id);
    if (shown === undefined) return;
    // What a person has arranged changes the answer too, and the page has drawn that itself.
    if (event.type !== 'removed' && shownText(event.answer) === shown) return;
    this.#tables.rowsChanged(id);
    this.#send(id);
  }

  #send(answer: AnswerId): void {
    for (const channel of this.#channels) channel.send('changed', { answer });
  }
}

function shownText({ state, head }: HeldAnswer): string {
  return `${state} ${head.tables.map(({ rowCount }) => rowCount)}`;
}
