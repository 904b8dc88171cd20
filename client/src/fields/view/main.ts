// The page that edits a dataset's fields.
import '../../webview/page/kit.css';
import './fields.css';
import { PageChannel } from '../../webview/page/channel.ts';
import { loadingBar, textButton } from '../../webview/page/controls.ts';
import { element } from '../../webview/page/dom.ts';
import { keepFocus } from '../../webview/page/keepFocus.ts';
import type { FieldsContract } from '../fieldsContract.ts';
import { Form } from './form.ts';

const channel = new PageChannel<FieldsContract>();
const app = document.getElementById('app') as HTMLElement;
let form: Form | undefined;

channel.listen({ focus: ({ field }) => form?.focus(field) });
keepFocus(() => app.querySelector<HTMLElement>('input:not(:disabled), select')?.focus());
void load();

async function load(): Promise<void> {
  app.replaceChildren(loadingBar());
  try {
    const loaded = await channel.request('load', null);
    form = new Form(loaded, {
      save: (changes) => channel.request('save', changes),
      draft: (changes) => channel.send('draft', changes),
    });
    app.replaceChildren(form.element);
    if (loaded.focus !== undefined) form.focus(loaded.focus);
  } catch (error) {
    app.replaceChildren(
      element('div', { class: 'message', role: 'alert' }, [
        element('p', { lines: `The fields cannot be listed. ${(error as Error).message}` }),
        textButton('action', 'Try Again', () => void load()),
      ]),
    );
  }
}
