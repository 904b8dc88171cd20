/** Line numbers that link to an editor, and the list of events that were not stored. */
import type { BrokenEvent } from '../../../../ingest/src/contract.ts';
import { capitalized } from '../../words/lists.ts';
import { linesInWords } from '../amounts.ts';
import { Action } from './components.tsx';

interface LinesProps {
  readonly file: { readonly id: number; readonly hasLines: boolean };
  readonly first: number;
  readonly last: number;
  readonly more?: string;
}

/** An event's lines, as a link if an editor can open them. */
export function LineLink({ file: { id, hasLines }, first, last, more = '' }: LinesProps) {
  const text = `${capitalized(linesInWords(first, last))}${more}`;
  if (!hasLines) return <span>{text}</span>;
  return (
    <Action class="link" event="openLine" content={{ file: id, line: first }}>
      {text}
    </Action>
  );
}

interface BrokenProps extends Pick<LinesProps, 'file'> {
  readonly events: readonly BrokenEvent[];
}

export function BrokenList({ file, events }: BrokenProps) {
  return (
    <ul class="broken">
      {events.map(({ line, lastLine, reason, text }) => (
        <li>
          <LineLink file={file} first={line} last={lastLine} />
          <span class="reason wraps">{reason}</span>
          <code title={text}>{text}</code>
        </li>
      ))}
    </ul>
  );
}
