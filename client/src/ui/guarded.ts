// Wraps a VS Code object so that text becomes plain when it is set.
import type * as vscode from 'vscode';
import { IconText, type Label, labelText, plain, plainLine } from './plain.ts';

/** Conversions of values before VS Code gets them, by property. */
export type Rules = Readonly<Record<string, (value: never) => unknown>>;

/** Keeps values that aren't shown. Converts objects to text, because VS Code could show them with links and icons. */
export const lineRule = (value: unknown) =>
  typeof value === 'string' || isObject(value) ? plainLine(String(value)) : value;
/** Like `lineRule`, but keeps line breaks, and Markdown that can't show icons or HTML or run commands. */
export const linesRule = (value: unknown) =>
  typeof value === 'string' || (isObject(value) && !isInertMarkdown(value))
    ? plain(String(value))
    : value;
export const labelRule = (value: Label | undefined) => value && labelText(value);

export const plainAccessibility = (value: vscode.AccessibilityInformation) => ({
  ...value,
  label: plainLine(value.label),
});

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Returns whether VS Code draws no icons or HTML in a Markdown value, and runs no commands from it. */
function isInertMarkdown(value: object): boolean {
  const { value: text, isTrusted, supportThemeIcons, supportHtml } = value as vscode.MarkdownString;
  return typeof text === 'string' && !isTrusted && !supportThemeIcons && !supportHtml;
}

/** Applies rules to the members in place. Absent members remain absent. */
export function applyRules<T extends object>(target: T, rules: Rules): T {
  for (const [name, rule] of Object.entries(rules)) {
    const value: unknown = Reflect.get(target, name);
    if (value !== undefined) Reflect.set(target, name, rule(value as never));
  }
  return target;
}

/** Returns a proxy that applies rules when a member is set. `read` overrides getters. IconTexts require a rule. */
export function guarded<T extends object>(
  target: T,
  rules: Rules,
  read: Readonly<Record<string, () => unknown>> = {},
): T {
  return new Proxy({} as T, {
    get(_, key) {
      const own = typeof key === 'string' && Object.hasOwn(read, key) ? read[key] : undefined;
      if (own) return own();
      const value = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
    set(_, key, value) {
      const rule = typeof key === 'string' && Object.hasOwn(rules, key) ? rules[key] : undefined;
      if (!rule && value instanceof IconText) throw new Error(`${String(key)} has no icons.`);
      return Reflect.set(target, key, rule ? rule(value as never) : value, target);
    },
  });
}
