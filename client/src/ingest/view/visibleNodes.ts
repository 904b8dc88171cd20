/**
 * Makes invisible characters visible in all displayed text and tooltips, so that a value cannot hide characters or
 * reorder the text around it. Values of form controls stay unchanged.
 */
import { options } from 'preact';
import { visibleLines, visibleText } from '../../../../table/src/visibleText.ts';

const drawn: Readonly<Record<string, (text: string) => string>> = {
  children: visibleText,
  label: visibleText,
  'aria-label': visibleText,
  // Keep line breaks, which tooltips can show.
  title: visibleLines,
};

options.vnode = ({ type, props }) => {
  if (typeof type !== 'string') return;
  const values = props as Record<string, unknown>;
  for (const [name, show] of Object.entries(drawn)) {
    if (values[name] !== undefined) values[name] = visible(values[name], show);
  }
};

function visible(value: unknown, show: (text: string) => string): unknown {
  if (typeof value === 'string') return show(value);
  return Array.isArray(value) ? value.map((one) => visible(one, show)) : value;
}
