/** Returns an object without its undefined members. */
export function defined<T extends object>(
  members: T,
): { readonly [Key in keyof T]?: Exclude<T[Key], undefined> } {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Key in keyof T]?: Exclude<T[Key], undefined> };
}
