/** The page's files, with checkboxes for those to ingest. */

import { useLayoutEffect, useState } from 'preact/hooks';
import { counted } from '../../../../formats/src/counts.ts';
import { bytesInWords } from '../amounts.ts';
import type { FileItem, Screen } from '../host/pageFacts.ts';
import { channel } from './channel.ts';
import { moveBetween } from './components.tsx';
import { formatNames } from './formatForm.tsx';

export function FileList({ files, shown }: Screen) {
  return (
    <nav class="files rigid" aria-label="Files">
      <ul onKeyDown={(event) => moveBetween('.show', event)?.click()}>
        {files.map((file) => (
          <File key={file.id} file={file} isShown={file.id === shown} />
        ))}
      </ul>
    </nav>
  );
}

function File({ file, isShown }: { readonly file: FileItem; readonly isShown: boolean }) {
  const { id, name, folder, link, size, included, state } = file;
  // Keep the checkbox's state locally, so that messages from before a click don't undo it.
  const [isChecked, setChecked] = useState(included);
  useLayoutEffect(() => setChecked(included), [included]);
  const linkText = link && `link to ${link.target}${link.isOutside ? ', outside the folder' : ''}`;
  const about = linkText === undefined ? '' : ` (${linkText})`;
  const status = statusOf(file);
  const path = folder === undefined ? name : `${folder}/${name}`;
  return (
    <li class={included ? 'beside' : 'beside excluded'}>
      <input
        class="rigid"
        type="checkbox"
        aria-label={`Ingest ${name}${about}`}
        checked={isChecked}
        disabled={state === 'problem'}
        onChange={({ currentTarget: { checked } }) => {
          setChecked(checked);
          channel.send('include', { file: id, included: checked });
        }}
      />
      <button
        type="button"
        class="show fill"
        title={`${path}${about}`}
        aria-current={isShown}
        tabIndex={isShown ? 0 : -1}
        onClick={() => channel.send('show', { file: id })}
      >
        <span class="name cut">
          {folder !== undefined && <span class="dim">{`${folder}/`}</span>}
          {name}
        </span>
        {linkText !== undefined && <span class="linked-path cut dim">{linkText}</span>}
        <span class={`status cut dim ${state}`}>
          {[bytesInWords(size), status].filter(Boolean).join(' · ')}
        </span>
      </button>
    </li>
  );
}

function statusOf({ state, format, events, broken }: FileItem): string {
  if (state === 'problem') return 'cannot be read';
  if (format === undefined) return state === 'reading' ? 'reading…' : '';
  const name = formatNames[format];
  if (events === 0) return `${name}, no events`;
  return broken > 0 ? `${name}, ${counted(broken, 'broken event')}` : name;
}
