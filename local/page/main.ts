/** Shows the landing page: the deployment's URL, its datasets, a query box, and commands for sending events. */
import './page.css';
import { Connection } from './connection.ts';
import { Datasets } from './datasets.ts';
import { button, copyButton, element, heard } from './dom.ts';
import { QueryBox } from './queryBox.ts';
import { Send } from './send.ts';
import type { DatasetOverview, ServiceError } from './service.ts';

const connection = new Connection(() => show());
const service = () => connection.service;
const tokenRejected = (error: ServiceError) => connection.end(error.message);
const queryBox = new QueryBox({ service, tokenRejected });
const send = new Send();
const datasets = new Datasets({
  service,
  tokenRejected,
  query: (dataset) => queryBox.propose(queryOf(dataset), dataset.last),
  read: (list) => {
    const newest = list.toSorted((a, b) => ((a.last ?? '') > (b.last ?? '') ? -1 : 1))[0];
    const names = list.map(({ name }) => name);
    send.offer(names, newest?.name);
    if (newest !== undefined) queryBox.suggest(queryOf(newest), newest.last);
  },
});
const connected = element('span', { class: 'connected' }, [
  'Connected',
  button('Disconnect', () => connection.end(), { class: 'quiet' }),
]);

document.body.append(
  element('header', {}, [
    element('h1', { text: 'Aplomb local deployment' }),
    element('p', { class: 'line' }, [
      element('code', { class: 'address', text: location.origin }),
      copyButton(() => location.origin, 'Copy the address'),
      connected,
    ]),
  ]),
  element('main', {}, [
    connection.element,
    queryBox.element,
    datasets.element,
    send.element,
    heard,
  ]),
  element('footer', {}, [
    element('p', {}, [
      'Completion, problems as you type, charts and live tail for APL are in the ',
      element('a', {
        text: 'Aplomb extension for VS Code',
        attributes: { href: 'vscode:extension/aplomb.aplomb' },
      }),
      '.',
    ]),
  ]),
);
addEventListener('hashchange', () => void connection.begin());
void connection.begin();

function show(): void {
  const isConnected = service() !== undefined;
  for (const part of [connected, queryBox.element, datasets.element]) part.hidden = !isConnected;
  if (!isConnected) {
    queryBox.clear();
    datasets.clear();
    return;
  }
  queryBox.focus();
  void datasets.refresh();
}

function queryOf({ name }: DatasetOverview): string {
  const quoted = name.replace(/[\\']/g, '\\$&');
  return `['${quoted}']\n| limit 100`;
}
