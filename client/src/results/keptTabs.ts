// Restores the result tabs after the window reloads. The list of tabs is in the workspace storage, and the tabs'
// answers are on disk. The tabs are restored when the results are first shown.
import type * as vscode from 'vscode';
import { parsedJson, stringifyJson } from '../../../api/src/plain.ts';
import type { AnswerId } from '../answers/protocol.ts';
import type { ResultsStore } from '../answers/resultsStore.ts';
import { answerIn, isOfQuery } from '../answers/slots.ts';
import type { ResultTab, ResultTabs, TabId } from '../answers/tabs.ts';
import { Disposables } from '../host/disposables.ts';
import type { Log } from '../host/log.ts';
import { anyText, boolean, type Check, members } from '../webview/checks.ts';

const KEY = 'resultTabs';

interface KeptTab extends Pick<ResultTab, 'query' | 'name' | 'pinned'> {
  readonly active: boolean;
  readonly file: string;
}

interface KeptTabsParts {
  readonly memory: vscode.Memento;
  readonly tabs: ResultTabs;
  readonly store: ResultsStore;
  readonly log: Log;
}

export class KeptTabs extends Disposables {
  readonly #parts: KeptTabsParts;
  /** The tabs from before the reload, until all are open again. */
  #former: readonly KeptTab[];
  #written: ReadonlySet<AnswerId> = new Set();
  #restoring: Promise<void> | undefined;

  constructor(parts: KeptTabsParts) {
    super();
    this.#parts = parts;
    this.#former = this.#read();
    this.own(
      parts.tabs.onDidChange(({ changed }) => {
        for (const id of changed) this.#pin(id);
        this.#write();
      }),
      // Update the list if an answer's file was erased. Other changes, such as scrolling, don't affect the list.
      parts.store.onDidChange((event) => {
        if (event.type !== 'changed' || event.answer.kept !== undefined) return;
        if (this.#written.has(event.answer.id)) this.#write();
      }),
    );
  }

  /** Opens the tabs from before the reload, once. Unreadable answers are skipped. */
  restore(): Promise<void> {
    this.#restoring ??= this.#restore();
    return this.#restoring;
  }

  async #restore(): Promise<void> {
    const { tabs, store, log } = this.#parts;
    const kept = this.#former;
    const wanted = kept.find(({ active }) => active) ?? kept.at(-1);
    const opened = new Set<TabId>();
    /** The tab that this method activated. A tab that the user activated in the meantime stays active. */
    let shown: TabId | undefined;
    for (const former of kept) {
      const { query, name, pinned, file } = former;
      try {
        const { id } = await store.restoreKept(file);
        const own = tabs.tabs.filter((tab) => !opened.has(tab.id));
        if (!pinned && own.some((tab) => !tab.pinned && isOfQuery(tab.query, query))) {
          await store.drop(id);
          continue;
        }
        const state = { kind: 'result', answer: id } as const;
        const restored = { query, pinned, state, ...(name !== undefined && { name }) };
        const isFirst = tabs.active === undefined;
        const tab = tabs.restore(restored, own[0]?.id);
        opened.add(tab);
        if (!isFirst && (former !== wanted || tabs.active?.id !== shown)) continue;
        shown = tab;
        tabs.activate(tab);
      } catch (error) {
        log.warn(`A result from before the reload cannot be shown: ${(error as Error).message}`);
      }
    }
    this.#former = [];
    this.#write();
  }

  /** Pins or unpins a tab's answer. A pinned answer is not removed from memory or disk to make room. */
  #pin(id: TabId): void {
    const { tabs, store } = this.#parts;
    const tab = tabs.tab(id);
    const answer = tab && answerIn(tab.state);
    const held = answer === undefined ? undefined : store.get(answer);
    if (tab && held && held.pinned !== tab.pinned) store.pin(held.id, tab.pinned);
  }

  #write(): void {
    // Keep the stored list until all of its tabs are open.
    if (this.#former.length > 0) return;
    const { tabs, store, memory } = this.#parts;
    const written = new Set<AnswerId>();
    const list = tabs.tabs.flatMap((tab): KeptTab | [] => {
      const id = answerIn(tab.state);
      const file = id === undefined ? undefined : store.get(id)?.kept;
      if (id === undefined || file === undefined) return [];
      written.add(id);
      const { query, name, pinned } = tab;
      const active = tab.id === tabs.active?.id;
      return { query, pinned, active, file, ...(name !== undefined && { name }) };
    });
    this.#written = written;
    void memory.update(KEY, stringifyJson(list));
  }

  #read(): readonly KeptTab[] {
    const text = this.#parts.memory.get<unknown>(KEY);
    const list = typeof text === 'string' ? parsedJson(text) : undefined;
    return Array.isArray(list) ? list.filter(isKeptTab) : [];
  }
}

const isKeptTab = members({
  query: members({ text: anyText, title: anyText }),
  file: anyText,
  pinned: boolean,
  active: boolean,
}) as Check<KeptTab>;
