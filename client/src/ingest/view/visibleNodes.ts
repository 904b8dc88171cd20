/**
 * Makes invisible characters visible in all displayed text and tooltips, so that a value cannot hide characters or
 * reorder the text around it. Values of form controls stay unchanged.
 */
import { options } from 'preact';
import { visibleLines, visibleText } from '../../../../table/src/visibleText.ts';
import { drawnAttributes } from '../../webview/page/dom.ts';

options.vnode = ({ type, props }) => {
  if (typeof type !== 'string') return;
  const values = props as Record<string, unknown>;
  for (const [name, value] of Object.entries(values)) {
    if (name === 'children') values[name] = visible(value);
    else if (drawnAttributes.has(name) && typeof value === 'string')
      values[name] = visibleLines(value);
  }
};

function visible(children: unknown): unknown {
  if (typeof children === 'string') return visibleText(children);
  return Array.isArray(children) ? children.map(visible) : children;
}
