/** The renderer for notebook outputs: one page for all of a notebook's outputs, with one channel to the host. */
import { channel } from '../../results/view/channel.ts';
import { element } from '../../webview/page/dom.ts';
import type { ToPageMessage } from '../../webview/pageContract.ts';
import type { ShownOutput } from '../shownOutput.ts';
import { CellOutput } from './cellOutput.ts';
import { addStyles, pageClass } from './styles.ts';

/** The members of VS Code's renderer API that this module uses. */
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
  // `Popup` finds this element by its attribute, because the chart bundle has a separate copy of the class.
  document.body.append(
    element('div', { class: `${pageClass} popups`, attributes: { 'data-popups': '' } }),
  );
  const outputs = new Map<string, CellOutput>();
  channel.connect({
    post: (message) => context.postMessage(message),
    onMessage: (listener) =>
      void context.onDidReceiveMessage((message) => listener(message as ToPageMessage)),
  });
  channel.listen({
    changed: ({ tab }) => {
      for (const { frame } of outputs.values()) frame.changed(tab);
    },
    marksChanged: () => {
      for (const { frame } of outputs.values()) frame.marksChanged();
    },
    action: ({ action, place }) => {
      for (const { frame } of outputs.values())
        if (frame.tab === place.output) frame.act(action, place);
    },
  });
  const dispose = (id: string) => {
    outputs.get(id)?.frame.dispose();
    outputs.delete(id);
  };
  return {
    renderOutputItem: async (item: OutputItem, into: HTMLElement) => {
      dispose(item.id);
      const output = new CellOutput(item.json() as ShownOutput, into);
      outputs.set(item.id, output);
      await output.draw();
    },
    /** Disposes of an output, or of all outputs without an ID. */
    disposeOutputItem: (id?: string) => {
      for (const gone of id === undefined ? [...outputs.keys()] : [id]) dispose(gone);
    },
  };
}
