/** Returns a field's value. The dots in its name may separate nested names or be part of a name. */
export function valueAt(value: unknown, path: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const members = value as Readonly<Record<string, unknown>>;
  if (Object.hasOwn(members, path)) return members[path];
  for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
    const name = path.slice(0, dot);
    if (!Object.hasOwn(members, name)) continue;
    const found = valueAt(members[name], path.slice(dot + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}
