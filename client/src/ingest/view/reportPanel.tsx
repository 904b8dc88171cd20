/** A run's report: counts, reasons, and a list of events that were not stored, with their lines. */
import { counted, grouped } from '../../../../formats/src/counts.ts';
import type { FinishedReport } from '../host/engine.ts';
import type { FileReport, Mode, ReportView } from '../host/pageFacts.ts';
import {
  fileHeadline,
  hasArrived,
  queryArrived,
  reportCounts,
  reportHeadline,
  reportSeverity,
  severityOf,
  sumText,
} from '../reportText.ts';
import { Action, Icon, Message } from './components.tsx';
import { BrokenList, LineLink } from './lineLinks.tsx';

const icons = { success: 'done', warning: 'warning', error: 'warning' } as const;

export function ReportPanel({ mode, files }: ReportView) {
  const report = { mode, files };
  const severity = reportSeverity(report);
  const only = files.length === 1 ? files[0] : undefined;
  return (
    <section class="report fill" aria-label="Report">
      <h2 tabIndex={-1} data-home class={severity}>
        <Icon name={icons[severity]} />
        <span>{reportHeadline(report)}</span>
      </h2>
      {only && <Problem mode={mode} {...only} />}
      <dl class="counts flow">
        {reportCounts(report).map(({ label, value, severity }) => (
          <div class={severity ?? ''}>
            <dt class="dim">{label}</dt>
            <dd class="digits">{value}</dd>
          </div>
        ))}
      </dl>
      <div class="buttons optional flow">
        {hasArrived(report) && (
          <Action class="action" event="queryArrived">
            {queryArrived}
          </Action>
        )}
        {mode === 'check' && (
          <Action class="action" event="start" content={{ mode: 'ingest' }}>
            Ingest
          </Action>
        )}
        {only && <FileButtons mode={mode} {...only} />}
        <Action event="back">Back to Preview</Action>
        <Action event="close">Close</Action>
      </div>
      {only ? (
        <Details mode={mode} {...only} />
      ) : (
        files.map((file) => <FileSection key={file.id} mode={mode} {...file} />)
      )}
    </section>
  );
}

type FileProps = FileReport & { readonly mode: Mode };

function Problem({ mode, report }: FileProps) {
  if (report?.problem === undefined) return null;
  return <Message severity={severityOf(mode, report)} text={report.problem} />;
}

function FileButtons({ mode, id, actions, report }: FileProps) {
  if (report === undefined) return null;
  const { resumable, resumeLine, failedFile } = report;
  return (
    <>
      {mode === 'ingest' && resumable !== undefined && (
        <Action event="resumeRun" content={{ file: id }}>
          {resumeLine === undefined ? 'Resume' : `Resume at Line ${grouped(resumeLine)}`}
        </Action>
      )}
      {failedFile !== undefined && (
        <Action event="openFailed" content={{ file: id }}>
          Open Failed Events
        </Action>
      )}
      {actions.map(({ label, command }) => (
        <Action event="action" content={{ command }}>
          {label}
        </Action>
      ))}
    </>
  );
}

/** A file's report, if the run has several files. */
function FileSection(file: FileProps) {
  const { mode, name, report } = file;
  const severity = severityOf(mode, report);
  const unsent = mode === 'check' ? 'Not checked.' : 'Not sent.';
  const headline = report ? fileHeadline(mode, file) : unsent;
  return (
    <section class="file-report" aria-label={name}>
      <h3 class={severity}>
        <Icon name={icons[severity]} />
        <span>{headline.includes(name) ? headline : `${name}: ${headline}`}</span>
      </h3>
      <Problem {...file} />
      <div class="buttons optional flow">
        <FileButtons {...file} />
      </div>
      <Details {...file} />
    </section>
  );
}

function Details(file: FileProps) {
  const { mode, report } = file;
  if (report === undefined) return null;
  const { reasons, failures, messages } = report;
  const sum = sumText(mode, report);
  return (
    <>
      {sum !== '' && <p class="dim">{sum}</p>}
      {report.doubt.length > 0 && <Doubt {...file} {...report} />}
      {reasons.length > 0 && <h3>Reasons</h3>}
      <ul class="reasons">
        {reasons.map(({ reason, count }) => (
          <li>
            <span class="dim digits">{counted(count, 'event')}</span>
            <span>{reason}</span>
          </li>
        ))}
      </ul>
      {failures.length > 0 && <Failures {...file} {...report} />}
      {messages.length > 0 && <h3>Messages of the service</h3>}
      <ul class="messages">
        {messages.map((text) => (
          <li>{text}</li>
        ))}
      </ul>
    </>
  );
}

function Doubt({ id, hasLines, doubt }: FileReport & FinishedReport) {
  return (
    <>
      <h3>In doubt</h3>
      <p class="dim">
        The connection broke before the service answered. These events may or may not be stored.
      </p>
      <ul class="doubt">
        {doubt.map(({ firstLine, lastLine, events }) => (
          <li>
            <LineLink
              file={{ id, hasLines }}
              first={firstLine}
              last={lastLine}
              more={` (${counted(events, 'event')})`}
            />
          </li>
        ))}
      </ul>
      <div class="buttons optional flow">
        <Action event="queryDoubt" content={{ file: id }}>
          Open Query That Counts Them
        </Action>
      </div>
    </>
  );
}

function Failures(file: FileReport & FinishedReport) {
  const { failures, failed, skipped, failedFile } = file;
  const all = failed + skipped;
  const others = failedFile && ' The file of failed events contains all of them.';
  return (
    <>
      <h3>Events that were not stored</h3>
      <BrokenList file={file} events={failures} />
      {all > failures.length && (
        <p class="dim">
          {`${grouped(failures.length)} of ${grouped(all)} are listed.${others ?? ''}`}
        </p>
      )}
    </>
  );
}
