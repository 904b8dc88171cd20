/**
 * Manages the page's token. The code in the page's URL is exchanged for a read-only session, which the tab's storage
 * keeps. A token that a person enters is kept only in memory: it outlives the deployment's process, and another program
 * that later gets the port could read the storage.
 */
import { element, section } from './dom.ts';
import { exchange, Service } from './service.ts';

const KEPT = 'session';
const SESSION_ENDED =
  'The session ended: it lasts half a day, and not beyond the process. Enter a token, or start the deployment again for another link.';
const CODE = /^#code=([\w-]+)$/;

export class Connection {
  readonly element: HTMLElement;
  readonly #changed: () => void;
  readonly #problem = element('p', { attributes: { role: 'alert', id: 'token-problem' } });
  readonly #token = element('input', {
    attributes: {
      id: 'token',
      type: 'password',
      autocomplete: 'off',
      spellcheck: 'false',
      placeholder: 'xaat-…',
      'aria-describedby': 'token-problem token-hint',
    },
  });
  #service: Service | undefined;
  #isSession = false;

  constructor(changed: () => void) {
    this.#changed = changed;
    const form = element('form', { class: 'line' }, [
      element('label', { text: 'API token', attributes: { for: 'token' } }),
      this.#token,
      element('button', { class: 'action', text: 'Connect', attributes: { type: 'submit' } }),
    ]);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#enter(this.#token.value.trim());
    });
    this.element = section('connect', 'Connect', [
      element('p', {
        text: 'Enter an API token of this deployment to see its datasets and to run queries.',
      }),
      form,
      this.#problem,
      element('p', {
        class: 'hint',
        text: 'The deployment printed one when it started; it is also in the file “token” of the data folder. This page keeps it in memory only: after a reload it is asked for again. The link that npm run local prints needs no token.',
        attributes: { id: 'token-hint' },
      }),
    ]);
  }

  get service(): Service | undefined {
    return this.#service;
  }

  /** Connects with the code in the page's URL. Without a code, connects with the session kept for this tab. */
  async begin(): Promise<void> {
    const code = CODE.exec(location.hash)?.[1];
    if (code === undefined) return this.#useKept();
    // Keep the code out of the browser's history, although it works only once.
    history.replaceState(null, '', location.pathname);
    try {
      sessionStorage.setItem(KEPT, await exchange(code));
      this.#useKept();
    } catch (error) {
      // The code was rejected, so try the session in the tab's storage.
      this.#useKept();
      if (this.#service === undefined) this.#say((error as Error).message);
    }
  }

  /** Discards the token and shows `why`. */
  end(why = ''): void {
    const wasSession = this.#isSession;
    sessionStorage.removeItem(KEPT);
    this.#use(undefined);
    this.#say(why !== '' && wasSession ? SESSION_ENDED : why);
    this.#token.focus();
  }

  #enter(token: string): void {
    this.#token.value = '';
    if (token === '') this.#say('Enter a token.');
    else if (/[^\x21-\x7e]/.test(token)) this.#say('A token has letters, digits and hyphens only.');
    else if (token.startsWith('xapt-')) {
      this.#say(
        'This is a personal token, which queries do not accept. Enter an API token (xaat-…).',
      );
    } else this.#use(token);
  }

  #say(words: string): void {
    this.#problem.textContent = words;
  }

  #useKept(): void {
    this.#use(sessionStorage.getItem(KEPT) ?? undefined, true);
  }

  #use(token: string | undefined, isSession = false): void {
    this.#isSession = isSession;
    this.#service = token === undefined ? undefined : new Service(token);
    this.element.hidden = token !== undefined;
    this.#say('');
    this.#changed();
  }
}
