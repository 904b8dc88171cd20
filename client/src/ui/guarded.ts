// An object of VS Code whose words are made plain when they are set.
import type * as vscode from 'vscode';
import { IconText, type Label, labelText, plain, plainLine } from './plain.ts';

/** Converts a value before VS Code gets it, by the property that is set. */
export type Rules = Readonly<Record<string, (value: never) => unknown>>;

/**
 * Values that are not shown stay as they are. An object becomes its text, since VS Code could convert it to a string
 * with links and icons.
 */
export const lineRule = (value: unknown) =>
  typeof value === 'string' || isObject(value) ? plainLine(String(value)) : value;
/** Markdown stays Markdown: hovers.ts makes it, without links. */
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

/** Markdown in which VS Code draws no icons or HTML, and runs no commands. */
function isInertMarkdown(value: object): boolean {
  const { value: text, isTrusted, supportThemeIcons, supportHtml } = value as vscode.MarkdownString;
  return typeof text === 'string' && !isTrusted && !supportThemeIcons && !supportHtml;
}

/** Converts the members that have a rule, in place. Absent members stay absent. */
export function applyRules<T extends object>(target: T, rules: Rules): T {
  for (const [name, rule] of Object.entries(rules)) {
    const value: unknown = Reflect.get(target, name);
    if (value !== undefined) Reflect.set(target, name, rule(value as never));
  }
  return target;
}

/**
 * The object with setters that follow the rules. `read` has the properties that are not read from the object. An
 * IconText in another property is an error, since its text may have icons.
 */
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
