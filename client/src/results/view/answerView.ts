/** An answer on a page: the line above it, and its table or chart. Used by every page that shows answers. */
import type { ChartModule } from '../../charts/view/module.ts';
import { iconButton } from '../../webview/page/controls.ts';
import { element } from '../../webview/page/dom.ts';
import type { IconName } from '../../webview/page/icons.ts';
import type {
  MenuPlace,
  PageAction,
  ResultContent,
  Screen,
  ViewFollow,
  ViewTable,
} from '../pageContent.ts';
import { channel } from './channel.ts';
import { ChartPane } from './chartPane.ts';
import { hintBar, type RunCommand } from './emptyStates.ts';
import { FollowBar } from './followBar.ts';
import { backButton, modeChoice, statusLine, tableTabs } from './statusLine.ts';
import { isArriving } from './table/openTable.ts';
import { TableView } from './tableView.ts';
import { ViewRecord } from './viewRecord.ts';

export interface AnswerViewParts {
  readonly nonce: string;
  readonly run: RunCommand;
  readonly loadCharts: () => Promise<ChartModule>;
  /** The maximum number of rows visible without scrolling. Absent if the table fills the page. */
  readonly maxRows?: number;
  /** Returns the follow state of the tab's query; null if it isn't followed. Absent if no queries can be followed. */
  readonly follow?: () => ViewFollow | null;
}

type Shown = 'table' | 'chart';

const tableTools: readonly (readonly [
  label: string,
  drawn: IconName,
  run: (view: TableView, anchor: HTMLElement) => void,
])[] = [
  ['Find (Ctrl+F)', 'find', (view) => view.act('find', {})],
  ['Wrap lines', 'wrap', (view) => view.toggleWrap()],
  ['Columns', 'columns', (view, anchor) => view.chooseColumns(anchor)],
  ['Row details (Space)', 'detail', (view) => view.toggleDetail()],
];

export class AnswerView {
  readonly line = element('div', { class: 'answer-line' });
  readonly element = element('div', { class: 'answer' });
  readonly #parts: AnswerViewParts;
  #screen: Screen;
  #result: ResultContent;
  readonly #record: ViewRecord;
  #view: TableView | undefined;
  #chart: ChartPane | undefined;
  readonly #followBar: FollowBar;
  #newestFirst: boolean | undefined;

  constructor(parts: AnswerViewParts, screen: Screen, result: ResultContent) {
    this.#parts = parts;
    this.#screen = screen;
    this.#result = result;
    this.#record = new ViewRecord(result);
    this.#record.open = Math.min(result.view.table, result.tables.length - 1);
    this.#followBar = new FollowBar((action) => {
      channel.send('follow', { tab: this.#screen.tab, action });
    });
  }

  /** Draws the answer. Both elements must be in the page. */
  start(): void {
    this.#drawLine();
    this.#drawContent();
  }

  /** Whether a screen has the same rows, apart from newly arrived ones. The page may have rearranged them. */
  shows(screen: Screen): boolean {
    const { content } = screen;
    if (content?.kind !== 'result') return false;
    const rows = ({ tables }: ResultContent) => String(tables.map(({ totalRows }) => totalRows));
    return (
      content.answer === this.#result.answer &&
      (rows(content) === rows(this.#result) || this.#canArrive(content)) &&
      screen.timeZone === this.#screen.timeZone &&
      content.editable === this.#result.editable &&
      content.hint?.message === this.#result.hint?.message
    );
  }

  /** Updates the answer to a screen whose rows are the same, except for newly arrived rows. */
  update(screen: Screen): void {
    const { content } = screen;
    if (content?.kind !== 'result') return;
    const canArrive = this.#canArrive(content);
    this.#screen = screen;
    if (canArrive) return this.#arrived(content);
    this.#result = { ...content, tables: this.#result.tables };
    this.#drawLine();
    this.#view?.offerMore(content, this.#screen);
    this.#chart?.update(this.#result);
  }

  followed(): void {
    this.#drawFollow();
    const follow = this.#parts.follow?.();
    if (!follow?.appends || follow.newestFirst === this.#newestFirst) return;
    this.#view?.placeNewest(follow.newestFirst, this.#newestFirst === undefined);
    this.#newestFirst = follow.newestFirst;
  }

  /** Marks the visible result as an earlier run's result. */
  dim(isDimmed: boolean): void {
    this.#view?.dim(isDimmed);
  }

  focus(): void {
    if (this.#view) this.#view.focus();
    else this.#chart?.focus();
  }

  act(action: PageAction, place: MenuPlace): void {
    if (action === 'showTable') return this.#show('table');
    if (action === 'showChart') return this.#show('chart');
    // Show the table first, because Find searches rows.
    if (action === 'find' && this.#view === undefined) this.#show('table');
    if (action === 'chooseColumns') this.#view?.chooseColumns(this.line);
    else this.#view?.act(action, place);
  }

  /** Undoes the last step that led to the result, if any. */
  back(): void {
    const { charts, answer } = this.#result;
    if (charts?.canGoBack) channel.send('back', { answer });
  }

  menuAt(target: Element): object | undefined {
    return this.#view?.menuAt(target);
  }

  marksChanged(): void {
    this.#chart?.marksChanged();
  }

  dispose(): void {
    this.#view?.dispose();
    this.#chart?.dispose();
    this.#view = undefined;
    this.#chart = undefined;
  }

  get #shownTable(): ViewTable | undefined {
    return this.#result.tables[this.#record.open];
  }

  get #shown(): Shown {
    const table = this.#shownTable;
    if (table === undefined || !canChart(table)) return 'table';
    return this.#record.table(this.#record.open).shown ?? (table.chartFirst ? 'chart' : 'table');
  }

  /** Whether a result may be the current result with more rows in the same columns. */
  #canArrive({ answer, tables }: ResultContent): boolean {
    const [table] = tables;
    const [before] = this.#result.tables;
    if (answer !== this.#result.answer || table === undefined || before === undefined) return false;
    const isFollowed = table.removedRows !== undefined && before.removedRows !== undefined;
    return (
      (isFollowed || (isArriving(this.#screen) && tables.length === 1)) &&
      before.totalRows > 0 &&
      table.columns.length === before.columns.length
    );
  }

  #arrived(content: ResultContent): void {
    const [table] = content.tables;
    const [before] = this.#result.tables;
    if (table === undefined || before === undefined) return;
    const isSame = table.totalRows === before.totalRows && table.removedRows === before.removedRows;
    this.#result = content;
    this.#drawLine();
    this.#view?.offerMore(content, this.#screen);
    if (isSame) return this.#chart?.update(this.#result);
    if (this.#view) this.#view.arrived(table);
    // Redraw the entire chart. This happens at most once per request for events, and after the last row of a run.
    else if (!isArriving(this.#screen)) this.#drawContent();
  }

  #drawFollow(): void {
    const follow = this.#parts.follow?.();
    if (!follow) return this.#followBar.element.remove();
    this.#followBar.draw(follow);
    if (this.element.firstChild !== this.#followBar.element)
      this.element.prepend(this.#followBar.element);
  }

  #drawLine(): void {
    const table = this.#shownTable;
    const result = this.#result;
    const { charts } = result;
    const isTable = this.#shown === 'table' && (table?.totalRows ?? 0) > 0;
    const focused = this.line.querySelector(':focus')?.getAttribute('data-mode');
    this.line.replaceChildren(
      statusLine({
        summary: [
          ...(charts?.filter === undefined ? [] : [`Filtered by ${charts.filter}`]),
          ...result.summary,
        ],
        notices: result.notices,
        choices: [
          table && canChart(table)
            ? modeChoice(this.#shown, (shown) => this.#show(shown))
            : undefined,
          charts?.canGoBack
            ? backButton(charts.filter === undefined ? 'range' : 'filter', () => this.back())
            : undefined,
          tableTabs(result, this.#record.open, (opened) => this.#openTable(opened)),
        ],
        actions: (isTable ? tableTools : []).map(([label, drawn, run]) =>
          iconButton(label, drawn, ({ currentTarget }) => {
            if (this.#view) run(this.#view, currentTarget as HTMLElement);
          }),
        ),
        cancelled: this.#screen.cancelled,
        run: this.#parts.run,
      }),
    );
    if (focused) this.line.querySelector<HTMLElement>(`[data-mode="${focused}"]`)?.focus();
  }

  #drawContent(): void {
    this.dispose();
    const shownTable = this.#shownTable;
    if (shownTable === undefined) return;
    const { run, loadCharts } = this.#parts;
    const result = this.#result;
    const hint = result.hint && shownTable.totalRows > 0 ? [hintBar(result.hint, run)] : [];
    const table = this.#record.open;
    if (this.#shown === 'chart') {
      const { tab, timeZone, localZone } = this.#screen;
      this.#chart = new ChartPane({
        result,
        table,
        choice: this.#record.table(table).chart ?? {},
        tab,
        zones: { timeZone, localZone },
        load: loadCharts,
        onChoose: (chart) => {
          this.#record.change(table, { chart, shown: 'chart' });
          this.#record.send();
        },
      });
      this.element.replaceChildren(...hint, this.#chart.element);
      this.#drawFollow();
      void this.#chart.start();
      return;
    }
    const [record, screen] = [this.#record, this.#screen];
    this.#view = new TableView({ ...this.#parts, result, table, record, screen });
    this.element.replaceChildren(...hint, this.#view.element);
    this.#drawFollow();
    this.#view.start();
    this.#view.offerMore(result, screen);
    this.#newestFirst = undefined;
    this.followed();
  }

  #show(shown: Shown): void {
    const table = this.#shownTable;
    if (table === undefined || !canChart(table) || shown === this.#shown) return;
    this.#leaveTable();
    this.#record.change(this.#record.open, {
      shown,
      chart: this.#record.table(this.#record.open).chart ?? {},
    });
    this.#record.send();
    this.start();
  }

  #openTable(table: number): void {
    if (table === this.#record.open) return;
    this.#leaveTable();
    this.#record.open = table;
    this.#record.send();
    this.start();
    this.line.querySelector<HTMLElement>('.tables [aria-pressed="true"]')?.focus();
  }

  /** Stores the table's state, and applies its column widths to the same columns of other tables. */
  #leaveTable(): void {
    if (this.#view === undefined) return;
    const { open } = this.#record;
    this.#record.keepPlaces();
    this.#result = { ...this.#result, tables: this.#result.tables.with(open, this.#view.table) };
    this.#record.shareWidths(open, this.#result.tables);
    this.#record.drawn = undefined;
  }
}

function canChart({ chart, totalRows }: ViewTable): boolean {
  return totalRows > 0 && chart.kinds.length > 0;
}
