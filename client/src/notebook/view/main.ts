/** The renderer of results in notebooks: one page for all outputs of a notebook, joined to the host by one channel. */
import type { ToPageMessage } from '../../webview/contract.ts';
import { element } from '../../webview/page/dom.ts';
import { Popup } from '../../webview/page/popup.ts';
import type { ShownResult } from '../shownResult.ts';
import { channel } from './channel.ts';
import { ResultOutput } from './resultOutput.ts';
import { addStyles, pageClass } from './styles.ts';

/** What VS Code gives to a renderer, as far as it is used here. */
interface RendererContext {
  postMessage(message: unknown): void;
  onDidReceiveMessage(listener: (message: unknown) => void): unknown;
}

interface OutputItem {
  readonly id: string;
  json(): unknown;
}

export function activate(context: RendererContext) {
  addStyles();
  Popup.root = element('div', { class: `${pageClass} popups` });
  document.body.append(Popup.root);
  const outputs = new Map<string, ResultOutput>();
  channel.connect({
    post: (message) => context.postMessage(message),
    onMessage: (listener) =>
      void context.onDidReceiveMessage((message) => listener(message as ToPageMessage)),
  });
  channel.listen({
    changed: ({ answer }) => {
      for (const output of outputs.values()) if (output.answer === answer) void output.draw();
    },
    marksChanged: () => {
      for (const output of outputs.values()) output.marksChanged();
    },
  });
  const dispose = (id: string) => {
    outputs.get(id)?.dispose();
    outputs.delete(id);
  };
  return {
    renderOutputItem: async (item: OutputItem, into: HTMLElement) => {
      dispose(item.id);
      const output = new ResultOutput(item.json() as ShownResult, into);
      outputs.set(item.id, output);
      await output.draw();
    },
    /** Without an id, all outputs are gone. */
    disposeOutputItem: (id?: string) => {
      for (const gone of id === undefined ? [...outputs.keys()] : [id]) dispose(gone);
    },
  };
}
