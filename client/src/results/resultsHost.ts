/**
 * The host's side of the results page: shows the tabs and the answer of the active one, hands windows of
 * rows on, and keeps how a person has arranged an answer, so that the page can be thrown away while it is
 * not seen. Free of vscode; what reaches beyond the page is done by `Effects`.
 */
import type { Pipe } from '../webview/hostChannel.ts';
import { type ResultsContract, resultsContract } from './contract.ts';
import { AttachedPages } from './host/attachedPages.ts';
import { HeldTables } from './host/heldTables.ts';
import { pageEvents } from './host/pageEvents.ts';
import type { ResultsHostParts } from './host/parts.ts';
import { rowRequests } from './host/rowRequests.ts';
import { Screens } from './host/screens.ts';
import type { MenuPlace, PageAction } from './messages.ts';
import { tabDeployment, tabStrip, visibleFollow } from './screen.ts';
import type { StoreEvent } from './store/heldAnswer.ts';
import { settledIn } from './tabs.ts';

/** How long a command that opens the view waits for its page. */
const openingMs = 5_000;

export class ResultsHost {
  readonly #parts: ResultsHostParts;
  readonly #tables: HeldTables;
  readonly #screens: Screens;
  readonly #pages: AttachedPages<ResultsContract>;
  readonly #subscriptions: { dispose(): void }[];
  #drawing = 0;
  /** The latest screen is sent. */
  #sent: Promise<void> = Promise.resolve();
  /** The actions of pages, one after another. */
  #acting: Promise<void> = Promise.resolve();

  constructor(parts: ResultsHostParts) {
    this.#parts = parts;
    this.#tables = new HeldTables(parts);
    this.#screens = new Screens(parts, this.#tables);
    this.#pages = new AttachedPages(resultsContract, parts);
    const { tabs, answers } = parts;
    this.#subscriptions = [
      tabs.onDidChange((change) => {
        const { changed, activated } = change;
        this.#tables.tabsChanged(change);
        this.#sendTabs();
        if (activated) this.#sendFollow();
        if (activated || changed.includes(tabs.active?.id ?? '')) void this.#sendScreen();
      }),
      answers.onDidChange((event) => this.#storeChanged(event)),
      ...(parts.follow
        ? [
            parts.follow.onDidChange((tab) => {
              if (tab === tabs.active?.id) this.#sendFollow();
            }),
          ]
        : []),
      ...(parts.parameterForms
        ? [parts.parameterForms.onDidChange((form) => this.#pages.send('parameterForm', form))]
        : []),
      ...(parts.charts ? [parts.charts.onDidChange(() => this.#chartsChanged())] : []),
    ];
  }

  /** Answers a page until it is disposed of. */
  attach(pipe: Pipe): { dispose(): void } {
    const attached = this.#pages.attach(pipe, {
      requests: rowRequests(this.#parts, this.#tables, () => void this.#sendScreen()),
      events: {
        ...pageEvents(this.#parts, this.#tables),
        ready: () => {
          this.#sendTabs();
          this.#sendFollow();
          this.#pages.send('parameterForm', this.#parts.parameterForms?.form ?? null);
          return this.#sendScreen();
        },
      },
    });
    return {
      dispose: () => {
        attached.dispose();
        if (this.#pages.isEmpty) this.#parts.parameterForms?.cancel();
        this.#parts.effects.focused(false);
      },
    };
  }

  /** Has the page do what a command means, at the place where its menu was opened. */
  act(action: PageAction, place: MenuPlace): void {
    const { tabs } = this.#parts;
    const tab = place.tab ?? tabs.active?.id;
    if (tab === undefined) return;
    if (action === 'pinTab') tabs.pin(tab, true);
    else if (action === 'unpinTab') tabs.pin(tab, false);
    else if (action === 'closeTab') tabs.close(tab);
    else if (action === 'closeOtherTabs') {
      for (const other of [...tabs.tabs])
        if (other.id !== tab && !other.pinned) tabs.close(other.id);
    } else if (action === 'closeAllTabs') {
      for (const other of [...tabs.tabs]) if (!other.pinned) tabs.close(other.id);
    } else this.#acting = this.#acting.then(() => this.#actOnPage(action, place));
  }

  /** Has the page act once it shows what the tabs have by now, such as the result of a run that has just ended. */
  async #actOnPage(action: PageAction, place: MenuPlace): Promise<void> {
    await this.#pages.opened(openingMs);
    let sent: Promise<void> | undefined;
    while (sent !== this.#sent) {
      sent = this.#sent;
      await sent;
    }
    this.#pages.send('action', { action, place });
  }

  refresh(): void {
    this.#tables.drawnOtherwise();
    void this.#sendScreen();
  }

  dispose(): void {
    for (const { dispose } of this.#subscriptions) dispose();
    this.#pages.dispose();
  }

  #storeChanged(event: StoreEvent): void {
    if (event.type === 'crashed') return this.#tables.clear();
    if (event.type === 'removed') return this.#tables.forget(event.id);
    if (event.type === 'erased') return;
    const { active } = this.#parts.tabs;
    if (active === undefined) return;
    const settled = settledIn(active.state);
    if (settled?.kind !== 'result' || settled.answer !== event.answer.id) return;
    // A screen follows when all rows are loaded.
    if (this.#tables.allRows.isLoading(event.answer.id)) return;
    if (this.#screens.hasShown(event.answer, active)) return;
    this.#tables.rowsChanged(event.answer.id);
    void this.#sendScreen();
  }

  #chartsChanged(): void {
    this.#pages.send('marksChanged', null);
    void this.#sendScreen();
  }

  #sendTabs(): void {
    const { tabs, answers, isProduction } = this.#parts;
    const strip = tabStrip(tabs, (tab) => {
      const deployment = tabDeployment(tab, (id) => answers.get(id));
      return deployment !== undefined && isProduction?.(deployment) === true;
    });
    this.#pages.send('tabs', strip);
  }

  #sendFollow(): void {
    const { follow, tabs } = this.#parts;
    const view = tabs.active && follow?.view(tabs.active.id);
    const drawn = view ? visibleFollow(view) : null;
    this.#pages.send('follow', drawn);
  }

  #sendScreen(): Promise<void> {
    this.#sent = this.#drawScreen().catch((error: unknown) =>
      this.#parts.onProblem(`The result could not be shown: ${error}`),
    );
    return this.#sent;
  }

  async #drawScreen(): Promise<void> {
    if (this.#pages.isEmpty) return;
    this.#drawing += 1;
    const drawing = this.#drawing;
    const screen = await this.#screens.screen();
    // A newer screen is on its way.
    if (drawing !== this.#drawing) return;
    this.#pages.send('screen', screen);
  }
}
