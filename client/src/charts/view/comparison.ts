/** The tool that compares a time series with an earlier span: offsets to choose, or one that is typed. */
import { button, element } from '../../webview/page/dom.ts';
import { Popup } from '../../webview/page/popup.ts';
import { type EarlierOffset, earlierLabel, earlierOffsets } from '../marks.ts';
import { offsetMinutes, offsetProblem } from '../offset.ts';

export function comparison(
  current: EarlierOffset | undefined,
  onChoose: (offset: EarlierOffset | null) => void,
): HTMLElement {
  const select = element('select', {
    class: 'field',
    title: 'Compare with an earlier time range',
    attributes: { 'aria-label': 'Compare with' },
  });
  select.dataset.tool = 'Compare';
  const add = (text: string, value: string) =>
    select.append(element('option', { text, attributes: { value } }));
  add('Compare with…', '');
  for (const { label, minutes } of earlierOffsets) add(label, String(minutes));
  const isOther = current && !earlierOffsets.some(({ minutes }) => minutes === current.minutes);
  if (isOther) add(earlierLabel(current), String(current.minutes));
  add('Other…', 'other');
  select.value = current === undefined ? '' : String(current.minutes);
  select.addEventListener('change', () => {
    const { value } = select;
    if (value !== 'other') return onChoose(value === '' ? null : { minutes: Number(value) });
    select.value = current === undefined ? '' : String(current.minutes);
    askOffset(select, (minutes) => onChoose({ minutes }));
  });
  return select;
}

const problemId = 'chart-offset-problem';

function askOffset(anchor: HTMLElement, onChoose: (minutes: number) => void): void {
  const problem = element('p', {
    class: 'choice-problem',
    attributes: { id: problemId, role: 'alert' },
  });
  const input = element('input', {
    class: 'field',
    attributes: {
      type: 'text',
      placeholder: 'Such as 90m, 6h, 3d or 4w',
      'aria-label': 'How much earlier',
      'aria-describedby': problemId,
    },
  });
  const show = (text: string) => {
    problem.textContent = text;
    problem.hidden = text === '';
    input.setAttribute('aria-invalid', String(text !== ''));
  };
  show('');
  const accept = () => {
    const minutes = offsetMinutes(input.value);
    if (minutes === undefined) {
      show(offsetProblem);
      input.focus();
      return;
    }
    popup.close();
    onChoose(minutes);
  };
  input.addEventListener('input', () => show(''));
  input.addEventListener('keydown', ({ key }) => key === 'Enter' && accept());
  const popup = new Popup(
    [
      element('div', { class: 'choices' }, [
        element('p', { text: 'How much earlier?' }),
        input,
        problem,
        button({ class: 'action', text: 'Compare', onClick: accept }),
      ]),
    ],
    { label: 'Compare with an earlier time range' },
  ).show(anchor, input);
}
