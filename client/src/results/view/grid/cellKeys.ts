/** What the keys do while a cell has the keyboard; SlickGrid itself moves the active cell. */

export interface CellKeyActions {
  readonly copy: () => void;
  readonly selectAll: () => void;
  readonly selectRow: () => void;
  readonly order: (descending: boolean, add: boolean) => void;
  readonly open: () => void;
  readonly detail: () => void;
  /** From the first row to the header above it; false elsewhere. */
  readonly toHeader: () => boolean;
  /** Extends the selection; false for keys that do not. */
  readonly extend: (event: KeyboardEvent) => boolean;
}

export function movesCell({ key, altKey }: KeyboardEvent): boolean {
  return !altKey && /^(Arrow|Page|Home$|End$)/.test(key);
}

/** Does what a key combination means; false where it means nothing here. */
export function obeyKey(event: KeyboardEvent, actions: CellKeyActions): boolean {
  const { key, altKey, ctrlKey, metaKey, shiftKey } = event;
  const command = ctrlKey || metaKey;
  if (command && key === 'c') actions.copy();
  else if (command && key === 'a') actions.selectAll();
  else if (altKey && (key === 'ArrowUp' || key === 'ArrowDown'))
    actions.order(key === 'ArrowDown', shiftKey);
  else if (key === 'Enter' && !command && !altKey && !shiftKey) actions.open();
  else if (key === ' ' && !command && !altKey) {
    if (shiftKey) actions.selectRow();
    else actions.detail();
  } else if (key === 'ArrowUp' && !shiftKey && !command && actions.toHeader()) return true;
  else return actions.extend(event);
  return true;
}
