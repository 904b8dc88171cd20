/** Where events are sent: the deployment, and an existing or new dataset. */
import { useId } from 'preact/hooks';
import type { Screen } from '../host/pageFacts.ts';
import { channel } from './channel.ts';
import { Icon, Row, TextField } from './components.tsx';

const NAME_CHARACTERS_MAX = 1_000;

export function TargetForm({ target, deployment, production }: Screen) {
  const { dataset, datasets, problem } = target;
  const [id, aboutId] = [useId(), useId()];
  const exists = datasets?.includes(dataset.trim());
  const about = exists === undefined ? 'On' : exists ? 'Existing dataset on' : 'New dataset on';
  return (
    <div class="form target">
      <Row label="Dataset" for={id}>
        <TextField
          id={id}
          class="field dataset"
          data-home
          aria-describedby={aboutId}
          suggestions={datasets ?? []}
          value={dataset}
          aria-invalid={problem !== undefined}
          onInput={(text) =>
            channel.send('setDataset', { dataset: text.slice(0, NAME_CHARACTERS_MAX) })
          }
        />
        <span id={aboutId} class={problem ? 'about problem' : 'about dim'} role="status">
          {problem ?? `${about} ${deployment}`}
          {production && problem === undefined && (
            <span class="production beside">
              <Icon name="warning" />
              <span>Production</span>
            </span>
          )}
        </span>
      </Row>
    </div>
  );
}
