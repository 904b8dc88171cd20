/** Returns a copy of an object without its undefined members. */
export function defined<T extends object>(
  members: T,
): { readonly [Key in keyof T]?: Exclude<T[Key], undefined> } {
  const found: Partial<T> = {};
  for (const key in members) if (members[key] !== undefined) found[key] = members[key];
  return found as { [Key in keyof T]?: Exclude<T[Key], undefined> };
}
