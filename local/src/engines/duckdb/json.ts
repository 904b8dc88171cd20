/**
 * Generates SQL that converts stored values to JSON text, by wire type. 64-bit integers are exact. Times are RFC 3339
 * with up to nine fractional digits. Timespans are Go durations. Values that JSON can't represent are null.
 */

/** Returns SQL for a value's JSON text, which is never NULL. */
export function jsonOf(wireType: string, column: string): string {
  return `coalesce(${nonNullJson(wireType, column)}, 'null')`;
}

function nonNullJson(wireType: string, c: string): string {
  switch (wireType) {
    case 'float':
      return `CASE WHEN isfinite(${c}) THEN CAST(${c} AS VARCHAR) END`;
    case 'string':
      return `CAST(to_json(${c}) AS VARCHAR)`;
    case 'datetime':
      return datetime(c);
    case 'timespan':
      return duration(c);
    default:
      return `CAST(${c} AS VARCHAR)`;
  }
}

// Formats the day and the time separately, because formatting both at once is slower, and DuckDB fails on the earliest
// day.
function datetime(c: string): string {
  const nanos = `epoch_ns(${c})`;
  const day = `CAST(${nanos} // ${DAY} - CAST(${nanos} % ${DAY} < 0 AS BIGINT) AS INTEGER)`;
  const rest = `(${nanos} % ${DAY} + ${DAY}) % ${DAY}`;
  const time = `CAST(make_timestamp_ns(${rest}) AS TIME_NS)`;
  return `CASE WHEN ${c} IS NOT NULL THEN concat('"', DATE '1970-01-01' + ${day}, 'T', ${time}, 'Z"') END`;
}

const DAY = 86_400_000_000_000;
const SECOND = 1_000_000_000;

// Formats a timespan as Go does, such as 1h2m3.5s, 2m0s, 1.5ms or 0s.
function duration(c: string): string {
  const size = `abs(CAST(${c} AS HUGEINT))`;
  const small = [
    [1_000, `concat(${size}, 'ns')`],
    [1_000_000, `concat(${fraction(size, 1_000)}, 'µs')`],
    [SECOND, `concat(${fraction(size, 1_000_000)}, 'ms')`],
  ]
    .map(([limit, text]) => `WHEN ${size} < ${limit} THEN ${text}`)
    .join(' ');
  const seconds = `${size} // ${SECOND}`;
  const large = `concat(
    CASE WHEN ${seconds} >= 3600 THEN concat(${seconds} // 3600, 'h') ELSE '' END,
    CASE WHEN ${seconds} >= 60 THEN concat((${seconds} // 60) % 60, 'm') ELSE '' END,
    ${fraction(`(${size} % ${60 * SECOND})`, SECOND)}, 's')`;
  return `CASE WHEN ${c} IS NOT NULL THEN concat('"', CASE WHEN ${c} < 0 THEN '-' ELSE '' END,
    CASE WHEN ${c} = 0 THEN '0s' ${small} ELSE ${large} END, '"') END`;
}

function fraction(size: string, unit: number): string {
  const digits = String(unit).length - 1;
  const rest = `rtrim(lpad(CAST(${size} % ${unit} AS VARCHAR), ${digits}, '0'), '0')`;
  return `concat(${size} // ${unit}, CASE WHEN ${size} % ${unit} = 0 THEN '' ELSE concat('.', ${rest}) END)`;
}
