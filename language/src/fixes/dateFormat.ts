/** Rewrites the format of `format_datetime()` as parts of a time's text, which has the form `2025-01-31T10:15:00Z`. */
import { quoteText } from '../names.ts';

const whole = 'yyyy-MM-ddTHH:mm:ss';

/**
 * Returns an expression that formats a time, or undefined if the format has a part that the time's text doesn't
 * contain, such as the name of a month. `time` is the source text of the time.
 */
export function dateFormat(time: string, format: string): string | undefined {
  const parts: string[] = [];
  let rest = format;
  let hasFields = false;
  while (rest !== '') {
    const run = fieldsAt(rest);
    const separators = run === '' ? /^[^A-Za-z]+/.exec(rest)?.[0] : undefined;
    if (run !== '') {
      hasFields = true;
      // The last index is that of the last two digits of the year for `yy`.
      parts.push(`substring(tostring(${time}), ${whole.lastIndexOf(run)}, ${run.length})`);
    } else if (separators !== undefined) {
      parts.push(quoteText(separators));
    } else {
      return undefined;
    }
    rest = rest.slice(run.length + (separators?.length ?? 0));
  }
  if (!hasFields) return undefined;
  return parts.length === 1 ? parts[0] : `strcat(${parts.join(', ')})`;
}

/** Returns the entire fields at the start of a format that follow each other in the time's text, such as `HH:mm`. */
function fieldsAt(format: string): string {
  let run = '';
  for (;;) {
    const separator = /^[-:]?/.exec(format.slice(run.length))?.[0] ?? '';
    const start = run.length + (run === '' ? 0 : separator.length);
    const field = /^(?:yyyy|yy|MM|dd|HH|mm|ss)/.exec(format.slice(start))?.[0];
    if (field === undefined || format[start + field.length] === field[0]) return run;
    const longer = format.slice(0, start + field.length);
    if (!whole.includes(longer)) return run;
    run = longer;
  }
}
