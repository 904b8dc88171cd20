/** Finds the name of a document's deployment in its URI or in a `// deployment:` line. Ignores notebook metadata. */
import { resourceSchemes } from './protocol.ts';
import { aplId, type SourceDocument } from './sourceDocument.ts';

const line = /^[ \t]*\/\/[ \t]*deployment:[ \t]*(\S.*?)[ \t]*$/m;

/** The maximum number of characters searched for the `// deployment:` line. The client uses the same limit. */
const WITHIN = 4_096;

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
    // A URI with an invalid escape doesn't name a deployment.
    return undefined;
  }
}
