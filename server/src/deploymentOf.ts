/** Which deployment a document belongs to: its own, if it is of a resource, or the one that a line of it names. */
import { resourceSchemes } from './protocol.ts';
import { aplId, type SourceDocument } from './sourceDocument.ts';

const line = /^[ \t]*\/\/[ \t]*deployment:[ \t]*(\S.*?)[ \t]*$/m;

/** Looked at with every change, so only near the beginning; the client does the same. */
const WITHIN = 4_096;

/** The name of a document's deployment; undefined where the document leaves it open. */
export function deploymentOf({
  uri,
  languageId = aplId,
  text,
}: SourceDocument): string | undefined {
  const own = deploymentInUri(uri);
  if (own !== undefined) return own;
  return languageId === aplId ? line.exec(text.slice(0, WITHIN))?.[1] : undefined;
}

function deploymentInUri(uri: string): string | undefined {
  if (!resourceSchemes.includes(uri.slice(0, uri.indexOf(':')))) return undefined;
  const query = /\?([^#]*)/.exec(uri)?.[1] ?? '';
  try {
    return new URLSearchParams(decodeURIComponent(query)).get('deployment') ?? undefined;
  } catch {
    // An escape that is none.
    return undefined;
  }
}
