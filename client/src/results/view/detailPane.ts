/** Shows the active cell's row as a tree, with search, navigation to adjacent rows, and actions on values. */

import { grouped } from '../../../../formats/src/counts.ts';
import type { ValuePath } from '../../../../table/src/viewState.ts';
import { isCancelled } from '../../webview/page/channel.ts';
import { iconButton, textField } from '../../webview/page/controls.ts';
import { element, setLines, setText } from '../../webview/page/dom.ts';
import { type IconName, icon } from '../../webview/page/icons.ts';
import { errorMessage } from '../../words/errors.ts';
import type { DetailNode, RowDetail } from '../pageContent.ts';
import { channel } from './channel.ts';
import { copyValue } from './table/copying.ts';
import type { CellPlace, OpenTable } from './table/openTable.ts';

/** Objects and arrays at this depth and below are initially collapsed. */
const openDepth = 2;

type OnValue = (open: OpenTable, cell: CellPlace, path: ValuePath) => void;
type IsUsable = (node: DetailNode, open: OpenTable) => boolean;

const copyWhole: OnValue = (open, cell, path) => void copyValue(open, cell, path, 'value');
const copyPath: OnValue = (open, cell, path) => void copyValue(open, cell, path, 'path');
const openLink: OnValue = (open, cell, path) => open.openLink(cell, path);
const hasColumn: IsUsable = ({ column }) => column !== undefined;
const canFilter: IsUsable = (node, open) =>
  open.parts.result.editable &&
  node.column !== undefined &&
  node.kind !== 'object' &&
  node.kind !== 'array';

const valueActions: readonly (readonly [string, IconName, IsUsable, OnValue])[] = [
  ['Add as Filter', 'plus', canFilter, (open, cell, path) => open.filterQuery(cell, path, false)],
  ['Exclude', 'minus', canFilter, (open, cell, path) => open.filterQuery(cell, path, true)],
  ['Copy Path', 'copyPath', hasColumn, copyPath],
  ['Copy Value', 'copy', hasColumn, copyWhole],
  ['Open Link', 'link', ({ link }) => link, openLink],
];

export class DetailPane {
  readonly element: HTMLElement;
  readonly #open: OpenTable;
  readonly #title = element('span', { class: 'detail-title rigid', role: 'status' });
  readonly #search = textField('Search in row');
  readonly #nested = iconButton('Nest dotted names', 'tree', () => {
    this.#nested.ariaPressed = String(this.#nested.ariaPressed !== 'true');
    void this.#load();
  });
  readonly #actions = valueActions.map(([label, drawn, isUsable, run]) => ({
    button: iconButton(label, drawn, () => this.#onSelected(run)),
    isUsable,
  }));
  readonly #tree = element('div', {
    class: 'tree fill mono',
    role: 'tree',
    label: 'Values of the row',
  });
  readonly #closed = new Map<string, boolean>();
  #controller = new AbortController();
  #row: number | undefined;
  /** The column that was last selected from outside the pane. */
  #column: number | undefined;
  #detail: RowDetail | undefined;
  /** The focused line's key, used to find the line again in the next row. */
  #line = '';

  constructor(open: OpenTable, onClose: () => void) {
    this.#open = open;
    this.#search.addEventListener('input', () => this.#draw());
    this.#search.addEventListener('keydown', (event) => {
      if (event.key !== 'ArrowDown' && event.key !== 'Enter') return;
      this.#tree.querySelector<HTMLElement>('[aria-selected="true"]')?.focus();
      event.preventDefault();
    });
    this.#nested.ariaPressed = 'true';
    this.#tree.addEventListener('keydown', (event) => this.#key(event));
    this.#tree.addEventListener('click', (event) => this.#click(event));
    this.element = element('aside', { class: 'detail stack rigid', label: 'Row' }, [
      element('div', { class: 'detail-head beside rigid' }, [
        this.#title,
        this.#search,
        element(
          'span',
          { class: 'detail-actions beside rigid', role: 'toolbar', label: 'Value' },
          this.#actions.map(({ button }) => button),
        ),
        iconButton('Previous row', 'up', () => this.#step(-1)),
        iconButton('Next row', 'down', () => this.#step(1)),
        this.#nested,
        iconButton('Close details', 'close', onClose),
      ]),
      this.#tree,
    ]);
    this.element.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      onClose();
      event.preventDefault();
      event.stopPropagation();
    });
    this.#enable();
  }

  /** Shows a row, given in display order. Selects the column's field if the column changed. */
  async show({ row, column }: { readonly row: number; readonly column: number }): Promise<void> {
    const moved = column !== this.#column;
    this.#column = column;
    if (row !== this.#row) {
      this.#row = row;
      if (!(await this.#load())) return;
    }
    if (moved || this.#line === '') this.#reveal();
  }

  /** Fetches and draws the row. Returns false if the request was replaced or failed. */
  async #load(): Promise<boolean> {
    const row = this.#row;
    if (row === undefined) return false;
    this.#controller.abort();
    this.#controller = new AbortController();
    const { signal } = this.#controller;
    try {
      const nested = this.#nested.ariaPressed === 'true';
      const params = { ...this.#open.place, row, nested };
      this.#detail = await channel.request('detail', params, signal);
      setText(this.#title, `Row ${grouped(this.#detail.number + 1)}`);
      this.#draw();
      return true;
    } catch (error) {
      if (isCancelled(error)) return false;
      this.#detail = undefined;
      setLines(this.#tree, errorMessage(error));
      return false;
    }
  }

  #onSelected(run: OnValue): void {
    const node = this.#selected();
    if (node?.column !== undefined && this.#row !== undefined)
      run(this.#open, { row: this.#row, column: node.column }, node.path);
  }

  /** Moves to an adjacent row. The pane keeps the focus. */
  #step(by: number): void {
    const { grid, rowCount } = this.#open;
    const { active } = grid;
    if (active === undefined) return;
    const focused = document.activeElement;
    grid.go(Math.max(0, Math.min(active.row + by, rowCount - 1)), active.column);
    if (focused instanceof HTMLElement && this.element.contains(focused)) focused.focus();
  }

  /** Selects the field of the active column, expands its parents, and scrolls to it. */
  #reveal(): void {
    const nodes = this.#detail?.nodes ?? [];
    const at = nodes.findIndex((node) => node.column === this.#column && node.path.length === 0);
    const node = nodes[at];
    if (node === undefined) return;
    nodes.slice(0, at).forEach((above, index) => {
      if (index + above.descendants >= at) this.#closed.set(lineKey(above), false);
    });
    this.#line = lineKey(node);
    this.#draw();
    const line = this.#items().find((item) => item.dataset.key === this.#line);
    if (line === undefined) return;
    const [own, view] = [line.getBoundingClientRect(), this.#tree.getBoundingClientRect()];
    if (own.top < view.top) this.#tree.scrollTop -= view.top - own.top;
    else if (own.bottom > view.bottom) this.#tree.scrollTop += own.bottom - view.bottom;
  }

  /** Forgets the current row, because its position may have another row after the rows changed. */
  forget(): void {
    this.#row = undefined;
  }

  dispose(): void {
    this.#controller.abort();
  }

  #draw(): void {
    const nodes = this.#detail?.nodes ?? [];
    const wanted = this.#search.value.toLowerCase();
    const focused = this.#tree.contains(document.activeElement);
    const matches = nodes.map(
      ({ key, text }) => `${key} ${text}`.toLowerCase().includes(wanted) && wanted !== '',
    );
    const lines: HTMLElement[] = [];
    for (let at = 0; at < nodes.length; at++) {
      const node = nodes[at] as DetailNode;
      const below = matches.slice(at + 1, at + 1 + node.descendants).includes(true);
      if (wanted !== '' && !matches[at] && !below && !this.#inMatch(nodes, matches, at)) {
        at += node.descendants;
        continue;
      }
      const isClosed = node.descendants > 0 && !below && this.#isClosed(node);
      lines.push(this.#lineOf(node, at, isClosed, matches[at] === true));
      if (isClosed) at += node.descendants;
    }
    if (this.#detail?.truncated)
      lines.push(
        element('p', { class: 'more dim', text: 'The row has more values than can be shown.' }),
      );
    if (lines.length === 0) lines.push(element('p', { class: 'more dim', text: 'Nothing found.' }));
    this.#tree.replaceChildren(...lines);
    const stop = this.#items().find((item) => item.dataset.key === this.#line) ?? this.#items()[0];
    this.#select(stop, focused);
  }

  /** Whether a line is inside a matching object or array. */
  #inMatch(nodes: readonly DetailNode[], matches: readonly boolean[], at: number): boolean {
    for (let above = at - 1; above >= 0; above--)
      if (matches[above] && above + (nodes[above]?.descendants ?? 0) >= at) return true;
    return false;
  }

  #isClosed(node: DetailNode): boolean {
    return this.#closed.get(lineKey(node)) ?? node.depth >= openDepth;
  }

  #lineOf(node: DetailNode, at: number, isClosed: boolean, found: boolean): HTMLElement {
    const branch = node.descendants > 0;
    const isNull = node.kind === 'null';
    const line = element(
      'div',
      {
        class: 'line beside',
        attributes: {
          role: 'treeitem',
          tabindex: '-1',
          'aria-level': String(node.depth + 1),
          'data-at': String(at),
          'data-key': lineKey(node),
          'aria-selected': 'false',
          ...(branch && { 'aria-expanded': String(!isClosed) }),
        },
      },
      [
        element('span', { class: 'twist rigid' }, branch ? [icon('right')] : []),
        element('span', { class: `key rigid wraps dim${found ? ' found' : ''}`, text: node.key }),
        element('span', {
          class: `val wraps ${node.kind}${node.link ? ' link' : ''}`,
          text: isNull ? '∅' : node.text,
          label: isNull ? 'null' : undefined,
          title: node.link ? 'Ctrl+click to open the link' : undefined,
        }),
      ],
    );
    line.style.paddingLeft = `${4 + Math.min(node.depth, 20) * 12}px`;
    return line;
  }

  #items(): HTMLElement[] {
    return [...this.#tree.querySelectorAll<HTMLElement>('[role="treeitem"]')];
  }

  #selected(): DetailNode | undefined {
    const line = this.#tree.querySelector<HTMLElement>('[aria-selected="true"]');
    return line ? this.#detail?.nodes[Number(line.dataset.at)] : undefined;
  }

  #select(line: HTMLElement | undefined, focus: boolean): void {
    for (const other of this.#tree.querySelectorAll<HTMLElement>('[aria-selected="true"]')) {
      other.ariaSelected = 'false';
      other.tabIndex = -1;
    }
    if (line) {
      this.#line = line.dataset.key ?? '';
      line.ariaSelected = 'true';
      line.tabIndex = 0;
      if (focus) line.focus();
    }
    this.#enable();
  }

  #enable(): void {
    const node = this.#selected();
    for (const { button, isUsable } of this.#actions)
      button.disabled = node === undefined || !isUsable(node, this.#open);
    const link = this.#actions.at(-1);
    if (link) link.button.hidden = link.button.disabled;
  }

  #toggle(line: HTMLElement, open: boolean): void {
    this.#closed.set(line.dataset.key ?? '', !open);
    this.#line = line.dataset.key ?? '';
    this.#draw();
  }

  #click(event: MouseEvent): void {
    const target = event.target instanceof Element ? event.target : undefined;
    const line = target?.closest<HTMLElement>('[role="treeitem"]');
    if (!target || !line) return;
    this.#select(line, true);
    if (target.closest('.twist') && line.ariaExpanded !== null)
      return this.#toggle(line, line.ariaExpanded === 'false');
    if ((event.ctrlKey || event.metaKey) && this.#selected()?.link) this.#onSelected(openLink);
  }

  #key(event: KeyboardEvent): void {
    const items = this.#items();
    const at = items.findIndex((item) => item.ariaSelected === 'true');
    const line = items[at];
    if (line === undefined) return;
    const { key } = event;
    const level = Number(line.ariaLevel);
    if (key === 'ArrowDown') this.#select(items[at + 1] ?? line, true);
    else if (key === 'ArrowUp') this.#select(items[at - 1] ?? line, true);
    else if (key === 'Home') this.#select(items[0], true);
    else if (key === 'End') this.#select(items.at(-1), true);
    else if (key === 'ArrowRight') {
      if (line.ariaExpanded === 'false') this.#toggle(line, true);
      else if (line.ariaExpanded === 'true') this.#select(items[at + 1], true);
    } else if (key === 'ArrowLeft') {
      if (line.ariaExpanded === 'true') this.#toggle(line, false);
      else
        this.#select(
          items.slice(0, at).findLast((other) => Number(other.ariaLevel) < level) ?? line,
          true,
        );
    } else if ((event.ctrlKey || event.metaKey) && key === 'c') this.#onSelected(copyWhole);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

function lineKey({ column, path, key, depth }: DetailNode): string {
  return JSON.stringify([column ?? `${depth} ${key}`, path]);
}
