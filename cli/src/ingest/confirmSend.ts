/** Checks a file before it is sent. Asks for confirmation if events would be lost. */
import { counted } from '../../../formats/src/counts.ts';
import type { FileSource, Preview, PreviewNotice } from '../../../ingest/src/contract.ts';
import { checkFile } from '../../../ingest/src/read/checkFile.ts';
import { repeatedHeaderReason } from '../../../ingest/src/read/convert/csvRow.ts';
import type { IngestArguments } from './arguments.ts';
import { askYesNo } from './askYesNo.ts';
import { checkWarnings, progressText } from './messages.ts';
import type { FilesSession } from './processFiles.ts';

export interface SendCheckContext extends FilesSession {
  readonly args: IngestArguments;
  readonly idle: () => Promise<void>;
}

/** Returns whether to send the file. Prints the reason if not. With `--yes`, returns true without a check. */
export async function confirmSend(
  path: string,
  source: FileSource,
  preview: Preview,
  { args, io, progressLine, signal, idle }: SendCheckContext,
): Promise<boolean> {
  if (args.yes) return true;
  const check = await checkFile(source, preview.settings, signal, (progress) =>
    progressLine.show(progressText(path, progress)),
  );
  progressLine.clear();
  // The preview has already reported these warnings.
  const isReported = (noticeCode: PreviewNotice['code']) =>
    preview.notices.some(({ code }) => code === noticeCode);
  const { unreadTimes, ...others } = check;
  const warnings = checkWarnings({
    ...others,
    ...(unreadTimes && !isReported('unread-time') && { unreadTimes }),
    ...(isReported('no-time') && { withoutTime: 0 }),
  });
  for (const warning of warnings) io.note(`${path}: ${warning.trim()}`);
  const repeatedHeaders = check.broken.filter(
    ({ reason }) => reason === repeatedHeaderReason,
  ).length;
  const broken = check.brokenCount - repeatedHeaders;
  const losesAny =
    (broken > 0 && args.chosen.broken === undefined) || preview.notices.some(losesEvents);
  if (!losesAny) return true;
  const lost = broken > 0 ? counted(broken, 'event') : 'some events';
  await idle();
  const answer = await askYesNo(`Ingest ${path} without ${lost}?`, signal);
  if (answer === true) return true;
  const what = answer === undefined ? ' To ingest the others, add --yes.' : '';
  io.error(`${path}: nothing was sent, because ${lost} would be lost.${what}`);
  return false;
}

/** Reports whether the service would reject events. */
function losesEvents({ code, fields }: PreviewNotice): boolean {
  return code === 'field-limit' || code === 'long-name' || fields.includes('');
}
