/** The ingest page as a function of its state. */
import { useLayoutEffect } from 'preact/hooks';
import type { FileView, ProgressView, ReportView, Screen } from '../host/messages.ts';
import { ActionBar } from './actionBar.tsx';
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
  readonly state: PageState;
  /** Focuses the element where the phase begins. */
  readonly focusHome: () => void;
}

export function App({ state, focusHome }: Props) {
  const { screen, progress, report } = state;
  const phase = screen?.phase;
  const isShown = { preview: true, running: progress !== undefined, report: report !== undefined };
  const begin = phase && isShown[phase] ? (report ?? phase) : undefined;
  useLayoutEffect(focusHome, [begin]);
  if (screen === undefined || begin === undefined) return null;
  if (progress && phase === 'running') return <ProgressPanel screen={screen} progress={progress} />;
  if (report) return <ReportPanel {...report} />;
  return (
    <>
      <Preview screen={screen} file={state.file} />
      <ActionBar {...screen} />
    </>
  );
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
  return (
    <div class="columns">
      {hasOthers && <FileList {...screen} />}
      <div class="main">
        <TargetForm {...screen} />
        {notice !== undefined && <Message severity="info" icon="info" text={notice} />}
        {/* Text that is being typed belongs to one file. */}
        {file && <FileForm key={file.id} file={file} hasOthers={hasOthers} />}
      </div>
    </div>
  );
}
