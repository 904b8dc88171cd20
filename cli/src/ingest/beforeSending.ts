/** Checks a file to its end before it is sent, and asks for confirmation if events would be lost. */
import type { FileSource, Preview, PreviewNotice } from '../../../ingest/src/contract.ts';
import { checkFile } from '../../../ingest/src/read/checkFile.ts';
import { doubledHeader } from '../../../ingest/src/read/convert/csvRow.ts';
import type { IngestArguments } from './arguments.ts';
import { askYes } from './askYes.ts';
import type { FilesSession } from './eachFile.ts';
import { checkProgressText, checkWarnings, events } from './words.ts';

export interface BeforeSending extends FilesSession {
  readonly args: IngestArguments;
  readonly idle: () => Promise<void>;
}

/** Checks a file and returns whether to send it. If not, the reason has been printed. */
export async function maySend(
  path: string,
  source: FileSource,
  preview: Preview,
  { args, io, line, signal, idle }: BeforeSending,
): Promise<boolean> {
  if (args.yes) return true;
  const check = await checkFile(source, preview.settings, signal, (progress) =>
    line.show(checkProgressText(path, progress)),
  );
  line.clear();
  // The preview already reports times that are missing or cannot be read.
  const isNoted = (noted: PreviewNotice['code']) =>
    preview.notices.some(({ code }) => code === noted);
  const { unreadTimes, ...others } = check;
  const warnings = checkWarnings({
    ...others,
    ...(unreadTimes && !isNoted('unread-time') && { unreadTimes }),
    ...(isNoted('no-time') && { withoutTime: 0 }),
  });
  for (const warning of warnings) io.note(`${path}: ${warning.trim()}`);
  const repeatedHeaders = check.broken.filter(({ reason }) => reason === doubledHeader).length;
  const broken = check.brokenCount - repeatedHeaders;
  const isLoss =
    (broken > 0 && args.chosen.broken === undefined) || preview.notices.some(losesRows);
  if (!isLoss) return true;
  const lost = broken > 0 ? events(broken) : 'some events';
  await idle();
  const answer = await askYes(`Ingest ${path} without ${lost}?`, signal);
  if (answer === true) return true;
  const what = answer === undefined ? ' To ingest the others, add --yes.' : '';
  io.complain(`${path}: nothing was sent, because ${lost} would be lost.${what}`);
  return false;
}

/** Returns whether the service refuses events with such a field. */
function losesRows({ code, fields }: PreviewNotice): boolean {
  return code === 'field-limit' || code === 'long-name' || fields.includes('');
}
