/**
 * Serves the landing page. It contains no data, so anyone may load it. Its content security policy allows only its own
 * script, its own style and requests to its own origin, and no other page may embed it.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { HttpResponse } from '../http.ts';

export type LandingPage = () => HttpResponse;

function bundleFolder(): string | undefined {
  return typeof __filename === 'string' ? join(dirname(__filename), 'view') : undefined;
}

/** Returns the landing page, or undefined if the page has not been built. */
export async function readLandingPage(
  folder: string | undefined = bundleFolder(),
): Promise<LandingPage | undefined> {
  if (folder === undefined) return undefined;
  try {
    const [script, style] = await Promise.all([
      readFile(join(folder, 'landing.js'), 'utf8'),
      readFile(join(folder, 'landing.css'), 'utf8'),
    ]);
    const html = documentOf(script, style);
    const headers = headersOf(script, style);
    return () => new HttpResponse(html, { headers });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

// Returns the page's HTML. The bundler escapes `</script` in strings, so no string ends the script element early.
function documentOf(script: string, style: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Aplomb: local deployment</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<noscript>This page needs JavaScript. The API works without it.</noscript>
<script>${script}</script>
</body>
</html>
`;
}

function headersOf(script: string, style: string): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `script-src ${sourceOf(script)}`,
    `style-src ${sourceOf(style)}`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'cache-control': 'no-store',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  };
}

function sourceOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
