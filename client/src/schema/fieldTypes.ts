// Converts the service's type names to APL's, because users should see the names that queries use.

const names: Readonly<Record<string, string>> = {
  integer: 'long',
  int: 'long',
  float: 'real',
  float64: 'real',
  double: 'real',
  boolean: 'bool',
  timestamp: 'datetime',
  date: 'datetime',
  time: 'timespan',
  array: 'dynamic',
  map: 'dynamic',
  dictionary: 'dynamic',
};

/** Returns APL's name for a wire type: `long` for `integer`, `long | string` for `integer|string`. */
export function typeName(wireType: string): string {
  const parts = wireType.split('|').map((part) => {
    const name = part.trim();
    return (Object.hasOwn(names, name) ? names[name] : undefined) ?? (name || 'unknown');
  });
  return [...new Set(parts)].join(' | ');
}
