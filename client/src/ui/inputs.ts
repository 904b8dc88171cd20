// Opens input boxes and quick picks. No other module may open them, because VS Code draws links in prompts and
// validation messages, and icons in items.
import * as vscode from 'vscode';
import { applyRules, guarded, labelRule, lineRule, linesRule } from './guarded.ts';
import { type Label, plain, plainLine } from './plain.ts';

type Validation = string | vscode.InputBoxValidationMessage | undefined | null;

function plainValidation(message: Validation): Validation {
  if (typeof message === 'string') return plain(message);
  return message && { ...message, message: plain(message.message) };
}

const optionRules = { title: lineRule, prompt: linesRule, placeHolder: lineRule };

export function showInputBox({
  validateInput,
  ...options
}: vscode.InputBoxOptions): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    ...applyRules(options, optionRules),
    ...(validateInput && {
      validateInput: async (value) => plainValidation(await validateInput(value)),
    }),
  });
}

/** Asks the user to type a name, to confirm an irreversible action. Returns whether it was typed. */
export async function confirmByTyping(
  name: string,
  { title, prompt }: { readonly title: string; readonly prompt: string },
): Promise<boolean> {
  const typed = await showInputBox({
    title,
    prompt,
    ignoreFocusOut: true,
    validateInput: (text) =>
      text === '' || text === name ? undefined : `The name does not match. Type '${name}'.`,
  });
  return typed === name;
}

/** Asks for a name of at most `max` characters and trims it. Undefined if there is none. `check` may reject it too. */
export async function askName(
  options: Pick<vscode.InputBoxOptions, 'title' | 'prompt' | 'value'>,
  max: number,
  check?: (name: string) => string | undefined,
): Promise<string | undefined> {
  const typed = await showInputBox({
    ...options,
    ignoreFocusOut: true,
    validateInput: (text) =>
      text.length > max ? `A name has at most ${max} characters.` : check?.(text.trim()),
  });
  return typed?.trim() || undefined;
}

export function createInputBox(): vscode.InputBox {
  return guarded(vscode.window.createInputBox(), {
    title: lineRule,
    prompt: linesRule,
    placeholder: lineRule,
    validationMessage: plainValidation,
  });
}

/** An item in a quick pick. Only a label that `withIcons` created has icons. */
export type PickItem = Omit<vscode.QuickPickItem, 'label'> & { readonly label: Label };

const itemRules = { label: labelRule, description: lineRule, detail: lineRule };

type ShownItem<T> = vscode.QuickPickItem & { readonly given: T };

function shownItem<T extends PickItem | string>(given: T): ShownItem<T> {
  if (typeof given === 'string') return { label: plainLine(given), given };
  const item: object = applyRules({ ...(given as PickItem) }, itemRules);
  return { ...(item as vscode.QuickPickItem), given };
}

function shownItems<T extends PickItem | string>(items: readonly T[]): ShownItem<T>[] {
  return items.map((item) => shownItem(item));
}

type Choosing = Pick<
  vscode.QuickPickOptions,
  'title' | 'placeHolder' | 'matchOnDescription' | 'matchOnDetail' | 'ignoreFocusOut'
>;

/** Returns the chosen items as the caller passed them. */
export function showQuickPick<T extends PickItem | string>(
  items: readonly T[] | Promise<readonly T[]>,
  options: Choosing & { readonly canPickMany: true },
): Promise<T[] | undefined>;
export function showQuickPick<T extends PickItem | string>(
  items: readonly T[] | Promise<readonly T[]>,
  options: Choosing,
): Promise<T | undefined>;
export async function showQuickPick<T extends PickItem | string>(
  items: readonly T[] | Promise<readonly T[]>,
  options: Choosing & { readonly canPickMany?: boolean },
): Promise<T | T[] | undefined> {
  const shown = items instanceof Promise ? items.then(shownItems) : shownItems(items);
  const chosen: ShownItem<T> | ShownItem<T>[] | undefined = await vscode.window.showQuickPick(
    shown,
    applyRules({ ...options }, optionRules),
  );
  return Array.isArray(chosen) ? chosen.map(({ given }) => given) : chosen?.given;
}

/** Shows a quick pick. Enter calls `accept`, which passes the answer to `done`. Undefined if the user dismisses it. */
export function answerOf<T extends PickItem, Answer>(
  pick: QuickPick<T>,
  accept: (done: (answer: Answer | undefined) => void) => void,
): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const done = (answer: Answer | undefined) => {
      resolve(answer);
      pick.hide();
    };
    pick.onDidAccept(() => accept(done));
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

type Lists = 'items' | 'activeItems' | 'selectedItems';

/** A quick pick that returns its items as the caller passed them. */
export type QuickPick<T extends PickItem> = Omit<
  vscode.QuickPick<vscode.QuickPickItem>,
  Lists | 'onDidChangeActive' | 'onDidChangeSelection' | 'onDidTriggerItemButton'
> & { [List in Lists]: readonly T[] } & {
  readonly onDidChangeActive: vscode.Event<readonly T[]>;
  readonly onDidTriggerItemButton: vscode.Event<{ readonly item: T }>;
};

export function createQuickPick<T extends PickItem>(): QuickPick<T> {
  const pick = vscode.window.createQuickPick<ShownItem<T>>();
  const givenOf = (items: readonly ShownItem<T>[]) => items.map(({ given }) => given);
  const shownOf = (items: readonly T[]) => pick.items.filter(({ given }) => items.includes(given));
  let given: readonly T[] = [];
  const guardedPick: unknown = guarded(
    pick,
    {
      title: lineRule,
      placeholder: lineRule,
      prompt: linesRule,
      items: (items: readonly T[]) => {
        given = items;
        return shownItems(items);
      },
      activeItems: shownOf,
      selectedItems: shownOf,
    },
    {
      items: () => given,
      activeItems: () => givenOf(pick.activeItems),
      selectedItems: () => givenOf(pick.selectedItems),
      onDidChangeActive: () => (listen: (items: readonly T[]) => void) =>
        pick.onDidChangeActive((items) => listen(givenOf(items))),
      onDidTriggerItemButton: () => (listen: (event: { readonly item: T }) => void) =>
        pick.onDidTriggerItemButton(({ item }) => listen({ item: item.given })),
    },
  );
  return guardedPick as QuickPick<T>;
}
