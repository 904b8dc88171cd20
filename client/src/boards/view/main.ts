/** The dashboard or monitor page, drawn from the host's messages. */
import 'slickgrid/dist/styles/css/slick.grid.css';
import '../../webview/page/kit.css';
import '../../results/view/styles/messages.css';
import '../../results/view/styles/filters.css';
import '../../results/view/styles/find.css';
import '../../results/view/styles/grid.css';
import '../../results/view/styles/cells.css';
import '../../results/view/styles/columnPanel.css';
import '../../results/view/styles/detail.css';
import '../../results/view/styles/strip.css';
import '../../charts/view/chart.css';
import './styles/board.css';
import './styles/card.css';
import './styles/note.css';
import './styles/monitor.css';
import { setText } from '../../webview/page/dom.ts';
import { keepFocus } from '../../webview/page/keepFocus.ts';
import type { PageView } from '../boardContent.ts';
import { answers, board } from './channel.ts';
import { DashboardPage } from './dashboardPage.ts';
import { missingPage } from './missingPage.ts';
import { MonitorPage } from './monitorPage.ts';

const app = document.getElementById('app') as HTMLElement;
const heading = document.querySelector('h1');
let page: DashboardPage | MonitorPage | undefined;

function draw(view: PageView): void {
  if (view.kind === 'missing') {
    page?.dispose();
    page = undefined;
    return app.replaceChildren(missingPage(view));
  }
  if (heading) setText(heading, view.name);
  if (view.kind === 'dashboard')
    (page instanceof DashboardPage ? page : shown(new DashboardPage())).update(view);
  else (page instanceof MonitorPage ? page : shown(new MonitorPage())).update(view);
}

function shown<T extends DashboardPage | MonitorPage>(next: T): T {
  page?.dispose();
  page = next;
  app.replaceChildren(next.element);
  return next;
}

answers.listen({
  changed: ({ tab }) => page?.changed(tab),
  marksChanged: () => page?.marksChanged(),
});

board.listen({
  page: draw,
  card: (state) => page?.setCard(state),
  status: (status) => page?.setStatus(status),
  test: (test) => {
    if (page instanceof MonitorPage) page.setTest(test);
  },
  keep: (kept) => board.state?.write(kept),
});

keepFocus(() => page?.focus());

board.send('ready', null);
