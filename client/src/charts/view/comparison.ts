/** The tool that compares a time series with an earlier span at a listed or typed offset. */
import { textButton, textField } from '../../webview/page/controls.ts';
import { element, setText } from '../../webview/page/dom.ts';
import { type EarlierOffset, earlierLabel, earlierOffsets } from '../marks.ts';
import { offsetMinutes, offsetProblem } from '../offset.ts';
import { choiceList, showPopup } from './choices.ts';

const title = 'Compare with an earlier time range';

export function comparison(
  current: EarlierOffset | undefined,
  onChoose: (offset: EarlierOffset | null) => void,
): HTMLElement {
  const shown = String(current?.minutes ?? '');
  const offered = earlierOffsets.map(({ label, minutes }) => [String(minutes), label] as const);
  const isOther = current && !offered.some(([minutes]) => minutes === shown);
  const options = [
    ['', 'Compare with…'],
    ...offered,
    ...(isOther ? [[shown, earlierLabel(current)] as const] : []),
    ['other', 'Other…'],
  ] as const;
  const names = { tool: 'Compare', label: 'Compare with', title };
  const select = choiceList(names, shown, options, (value) => {
    if (value !== 'other') return onChoose(value === '' ? null : { minutes: Number(value) });
    select.value = shown;
    showPopup(select, title, (close) =>
      offsetForm((minutes) => {
        close();
        onChoose({ minutes });
      }),
    );
  });
  return select;
}

const problemId = 'chart-offset-problem';

function offsetForm(onChoose: (minutes: number) => void): HTMLElement[] {
  const problem = element('p', {
    class: 'choice-problem',
    role: 'alert',
    attributes: { id: problemId },
  });
  const input = textField('How much earlier', '', {
    placeholder: 'Such as 90m, 6h, 3d or 4w',
    'aria-describedby': problemId,
  });
  const show = (text: string) => {
    setText(problem, text);
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
    onChoose(minutes);
  };
  input.addEventListener('input', () => show(''));
  input.addEventListener('keydown', ({ key }) => key === 'Enter' && accept());
  return [
    element('p', { text: 'How much earlier?' }),
    input,
    problem,
    textButton('action', 'Compare', accept),
  ];
}
