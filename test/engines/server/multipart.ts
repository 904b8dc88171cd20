/** Reads the fields of a `multipart/form-data` body, in which the client sends a query with long parameters. */

/** The fields by name; undefined if the body is of another type. */
export function multipartFields(
  body: Buffer,
  contentType: string | undefined,
): Map<string, string> | undefined {
  const boundary = /^multipart\/form-data;.*boundary="?([^";]+)/i.exec(contentType ?? '')?.[1];
  if (boundary === undefined) return undefined;
  const fields = new Map<string, string>();
  for (const part of body.toString('latin1').split(`--${boundary}`).slice(1, -1)) {
    const end = part.indexOf('\r\n\r\n');
    const name = /name="([^"]*)"/i.exec(part.slice(0, end))?.[1] ?? '';
    const value = part.slice(end + 4, -2);
    fields.set(name, Buffer.from(value, 'latin1').toString());
  }
  return fields;
}
