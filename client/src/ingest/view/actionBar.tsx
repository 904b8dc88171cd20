/** The bar with the page's actions, and the files and the target of the next run. */
import { counted } from '../../../../formats/src/counts.ts';
import { bytesInWords, sum } from '../amounts.ts';
import type { Screen } from '../host/pageFacts.ts';
import { Action } from './components.tsx';

export function ActionBar({ blocked, target, deployment, files }: Screen) {
  const disabled = blocked !== undefined;
  const included = files.filter((file) => file.included);
  const bytes = bytesInWords(sum(included, ({ size }) => size));
  const amount = `${counted(included.length, 'file')}, ${bytes}`;
  // The dataset field already shows a problem with the dataset's name, so don't repeat it here.
  const reason = blocked === target.problem ? '' : blocked;
  return (
    <footer class="actions flow">
      <Action
        class="action"
        title="Send the events (Ctrl+Enter)"
        disabled={disabled}
        event="start"
        content={{ mode: 'ingest' }}
      >
        Ingest
      </Action>
      <Action
        title="Read everything and send nothing"
        disabled={disabled}
        event="start"
        content={{ mode: 'check' }}
      >
        Check Only
      </Action>
      <Action event="close">Cancel</Action>
      <span class={disabled ? 'about problem' : 'about dim'} role="status">
        {disabled ? reason : `${amount} into '${target.dataset.trim()}' on ${deployment}`}
      </span>
    </footer>
  );
}
