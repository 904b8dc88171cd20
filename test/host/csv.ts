// Reads CSV for expectations, apart from the reader that is tested.

/** The rows of a CSV text with a header line; fields may be quoted, and quotes in them are doubled. */
export function parseCsv(text: string): Record<string, string>[] {
  const records: string[][] = [[]];
  const field = /("((?:[^"]|"")*)"|[^,\n\r"]*)(,|\r?\n|$)/gy;
  while (field.lastIndex < text.length) {
    const match = field.exec(text);
    if (!match) throw new Error('The CSV file is broken.');
    const value = match[2] === undefined ? (match[1] ?? '') : match[2].replaceAll('""', '"');
    records.at(-1)?.push(value);
    if (match[3] !== ',') records.push([]);
  }
  const [header = [], ...rows] = records.filter((record) => record.length > 0);
  return rows.map((row) => Object.fromEntries(header.map((name, at) => [name, row[at] ?? ''])));
}
