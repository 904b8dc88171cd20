// The types of fields and columns in the words of queries. The service calls them otherwise on the wire
// than APL does, and a person should read one name everywhere: the one that a query writes.

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

/** What a person reads for a wire type: `long` for `integer`, `long | string` for `integer|string`. */
export function typeName(wireType: string): string {
  const parts = wireType.split('|').map((part) => {
    const name = part.trim();
    return (Object.hasOwn(names, name) ? names[name] : undefined) ?? (name || 'unknown');
  });
  return [...new Set(parts)].join(' | ');
}
