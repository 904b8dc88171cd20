/** A page's HTML document. It loads only its own script, styles, fonts and images, and has no network access. */
import { visibleMarkup } from '../../../table/src/visibleText.ts';

export interface PageParts {
  /** The document's title, which is also its heading for assistive technology. It may contain a dataset's name. */
  readonly title: string;
  readonly scriptUri: string;
  readonly styleUri: string;
  readonly cspSource: string;
  readonly nonce: string;
}

export function pageHtml({ title, scriptUri, styleUri, cspSource, nonce }: PageParts): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${cspSource} 'nonce-${nonce}'`,
    `font-src ${cspSource}`,
    `img-src ${cspSource} data:`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const shownTitle = visibleMarkup(title);
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<link rel="stylesheet" href="${styleUri}">
<title>${shownTitle}</title>
</head>
<body data-nonce="${nonce}" data-vscode-context='{"preventDefaultContextMenuItems":true}'>
<main>
<h1 class="heard">${shownTitle}</h1>
<div id="app"></div>
</main>
<script nonce="${nonce}" src="${scriptUri}"></script>
</body>
</html>`;
}
