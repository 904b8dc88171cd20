/** Creates the element for a card's answer, and loads the bundle that draws charts. */
import { AnswerFrame } from '../../results/view/answerFrame.ts';
import { loadCharts } from '../../results/view/loadCharts.ts';
import { element } from '../../webview/page/dom.ts';

const nonce = document.body.dataset.nonce ?? '';
/** The URL of this script. `currentScript` is available only while the script first runs. */
const address = (document.currentScript as HTMLScriptElement | null)?.src ?? document.baseURI;

export const charts = () => loadCharts(address);

export function cardAnswer(): AnswerFrame {
  const content = element('div', { class: 'card-answer stack fill' });
  return new AnswerFrame({ content, nonce, loadCharts: charts });
}
