/** The ingest page, drawn from its state. */
import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import type { FileView, ProgressView, ReportView, Screen } from '../host/pageFacts.ts';
import { ActionBar } from './actionBar.tsx';
import { channel } from './channel.ts';
import { Message } from './components.tsx';
import { FileForm } from './fileForm.tsx';
import { FileList } from './fileList.tsx';
import { ProgressPanel } from './progressPanel.tsx';
import { ReportPanel } from './reportPanel.tsx';
import { TargetForm } from './targetForm.tsx';

export interface PageState {
  readonly screen?: Screen;
  readonly file?: FileView;
  readonly progress?: ProgressView | undefined;
  readonly report?: ReportView | undefined;
}

interface Props {
  readonly focusHome: () => void;
  /** Registers a callback for changes of the state. */
  readonly listen: (update: (part: PageState) => void) => void;
}

export function App({ focusHome, listen }: Props) {
  const [state, setState] = useState<PageState>({});
  const { screen, file, progress, report } = state;
  useLayoutEffect(() => listen((part) => setState((former) => ({ ...former, ...part }))), []);
  useLayoutEffect(() => onControlEnter(() => startFrom(screen)), [screen]);
  const phase = screen?.phase;
  const isShown = { preview: true, running: progress !== undefined, report: report !== undefined };
  const begin = phase && isShown[phase] ? (report ?? phase) : undefined;
  useLayoutEffect(focusHome, [begin]);
  // Memoize the preview, because progress draws the page ten times per second without changing it.
  const preparation = useMemo(
    () =>
      screen && (
        <>
          <Preview screen={screen} file={file} />
          <ActionBar {...screen} />
        </>
      ),
    [screen, file],
  );
  if (screen === undefined) return null;
  return (
    <>
      {progress && phase === 'running' && <ProgressPanel screen={screen} progress={progress} />}
      {report && phase === 'report' && <ReportPanel {...report} />}
      {/* The preview is hidden during a run, so that it has its fields and scroll positions again after the report. */}
      <div class="preparation stack fill" hidden={phase !== 'preview'}>
        {preparation}
      </div>
    </>
  );
}

function startFrom(screen: Screen | undefined): void {
  if (screen?.phase === 'preview' && screen.blocked === undefined)
    channel.send('start', { mode: 'ingest' });
}

function onControlEnter(act: () => void): () => void {
  const listen = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    act();
  };
  window.addEventListener('keydown', listen);
  return () => window.removeEventListener('keydown', listen);
}

function Preview({
  screen,
  file,
}: {
  readonly screen: Screen;
  readonly file: FileView | undefined;
}) {
  const { files, notice } = screen;
  const hasOthers = files.length > 1;
  // Memoize, so that messages about other files don't undo a choice. The key resets text fields for another file.
  const form = useMemo(
    () => file && <FileForm key={file.id} file={file} hasOthers={hasOthers} />,
    [file, hasOthers],
  );
  return (
    <div class="columns fill">
      {hasOthers && <FileList {...screen} />}
      <div class="main stack fill">
        <TargetForm {...screen} />
        {notice !== undefined && <Message severity="info" icon="info" text={notice} />}
        {form}
      </div>
    </div>
  );
}
