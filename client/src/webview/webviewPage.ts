/** Loads a page into a VS Code webview and returns the pipe for its channel. */
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { Pipe } from './hostChannel.ts';
import { pageHtml } from './html.ts';

/** Loads the page from `dist/view/NAME.js` and `NAME.css`. The pipe lasts as long as the webview. */
export function loadPage(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
  { name, title }: { readonly name: string; readonly title: string },
): Pipe {
  const root = vscode.Uri.joinPath(extensionUri, 'dist', 'view');
  const file = (ending: string) =>
    webview.asWebviewUri(vscode.Uri.joinPath(root, `${name}.${ending}`)).toString();
  webview.options = { enableScripts: true, localResourceRoots: [root] };
  const pipe: Pipe = {
    post: (message) => void webview.postMessage(message),
    onMessage: (listener) => webview.onDidReceiveMessage(listener),
  };
  // Set the document only after the caller has begun to listen.
  queueMicrotask(() => {
    webview.html = pageHtml({
      title,
      scriptUri: file('js'),
      styleUri: file('css'),
      cspSource: webview.cspSource,
      nonce: randomBytes(18).toString('base64'),
    });
  });
  return pipe;
}
