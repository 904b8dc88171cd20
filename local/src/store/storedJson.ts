/** Reads stored JSON documents, which may have been written by any version or program. */
import { parseJson, readTolerant, type Static, type TSchema } from '../../../api/src/index.ts';
import { isDeeper } from '../jsonDepth.ts';
import { STORED_JSON_DEPTH_MAX } from '../limits.ts';

export type Log = (message: string) => void;

/**
 * Returns the document without members of the wrong type. If it is unusable, returns the reason, worded to follow
 * "because". Members that aren't marked as `key` in the schema may be missing, despite the return type.
 */
export function readStored<S extends TSchema>(schema: S, json: string | null): Static<S> | string {
  if (isDeeper(Buffer.from(json ?? ''), STORED_JSON_DEPTH_MAX)) {
    return `it nests deeper than ${STORED_JSON_DEPTH_MAX} levels`;
  }
  let value: unknown;
  try {
    value = parseJson(json ?? '');
  } catch {
    return 'it is not JSON';
  }
  const reading = readTolerant(schema, value, 'the document', true);
  return reading.ok ? (withoutNulls(schema, reading.typed) as Static<S>) : reading.problem.message;
}

/** Removes members that are null but must not be, so that they count as missing. */
function withoutNulls(schema: TSchema, value: unknown): unknown {
  const { properties } = schema as { readonly properties?: Readonly<Record<string, TSchema>> };
  if (properties === undefined) return value;
  const members = Object.entries(value as object).filter(([name, member]) => {
    if (member !== null || !Object.hasOwn(properties, name)) return true;
    const { type } = properties[name] as { readonly type?: string | readonly string[] };
    return type?.includes('null') ?? true;
  });
  return Object.fromEntries(members);
}
