/** Asks for a query's parameters in a form: a field for each, with its type, default and problem. */

import type { ParameterField, ParameterForm } from '../../answers/parameterForm.ts';
import { choice } from '../../webview/page/controls.ts';
import { element, setLines } from '../../webview/page/dom.ts';
import type { Popup } from '../../webview/page/popup.ts';
import { problemLine } from './controls.ts';
import { formLine, popupForm } from './popupForm.ts';

/** Returns an error message or null for each text. If all texts are valid, `accept` closes the form. */
type Check = (texts: readonly string[], accept: boolean) => Promise<readonly (string | null)[]>;

type Control = HTMLInputElement | HTMLSelectElement;

/** Returns the popup. It closes when the values are accepted. */
export function askForParameters(
  anchor: HTMLElement,
  { title, fields }: ParameterForm,
  check: Check,
  onClose: () => void,
): Popup {
  const rows = fields.map((field, at) => parameterRow(field, at));
  const texts = () => rows.map(({ control }) => control.value);
  let checks = 0;
  const validate = async (accept: boolean, only?: number) => {
    checks += 1;
    const now = checks;
    const problems = await check(texts(), accept);
    // Skip outdated messages, because the text has changed.
    if (now !== checks) return;
    rows.forEach(({ problem, control }, at) => {
      if (only !== undefined && at !== only) return;
      setLines(problem, problems[at] ?? '');
      control.ariaInvalid = String(problem.textContent !== '');
    });
    if (accept) rows.find(({ control }) => control.ariaInvalid === 'true')?.control.focus();
  };
  rows.forEach(({ control }, at) => {
    control.addEventListener('input', () => void validate(false, at));
  });
  const popup = popupForm({
    class: 'parameter-popup',
    label: 'Query Parameters',
    title: `Parameters of ${title}`,
    fields: rows.map(({ line }) => line),
    action: 'Run',
    onSubmit: () => void validate(true),
    onClose,
  });
  const first = rows[0]?.control;
  popup.show(anchor, first);
  if (first instanceof HTMLInputElement) first.select();
  return popup;
}

function parameterRow({ name, type, note, text }: ParameterField, at: number) {
  const ids = [`parameter-${at}-note`, `parameter-${at}-problem`] as const;
  const attributes = { 'aria-describedby': ids.join(' '), spellcheck: 'false' };
  const control: Control =
    type === 'bool'
      ? choice(attributes, [
          ['true', 'true'],
          ['false', 'false'],
        ])
      : element('input', { class: 'field', attributes: { ...attributes, type: 'text' } });
  control.value = text;
  const problem = problemLine({ id: ids[1] });
  const detail = element('p', {
    class: 'form-detail dim',
    text: note,
    attributes: { id: ids[0] },
  });
  return { line: formLine(name, control, detail, problem), control, problem };
}
