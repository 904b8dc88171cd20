/** Copies a chart's picture to the clipboard, or saves it to a file. */
import type { ChartEvents } from './module.ts';
import { canvasPicture, type PictureParts, svgPicture } from './picture.ts';
import { readTheme, whiteTheme } from './theme.ts';

/** The minimum picture size in pixels, so that a picture of a narrow chart is readable. */
const [minWidth, minHeight] = [640, 320];

type PictureSource = Omit<PictureParts, 'theme'>;

export type PictureAction = 'copy' | 'png' | 'svg' | 'whitePng' | 'whiteSvg';

/** Copies the picture, or sends it to the host, which prompts for a file. */
export async function takePicture(
  action: PictureAction,
  source: PictureSource,
  { say, savePicture }: Pick<ChartEvents, 'say' | 'savePicture'>,
): Promise<void> {
  const parts = partsOf(source, action === 'whitePng' || action === 'whiteSvg');
  if (action === 'copy') return say(await copied(parts));
  if (action === 'svg' || action === 'whiteSvg') return savePicture('svg', svgPicture(parts));
  const address = canvasPicture(parts).toDataURL('image/png');
  savePicture('png', address.slice('data:image/png;base64,'.length));
}

function partsOf(source: PictureSource, onWhite: boolean): PictureParts {
  return {
    ...source,
    theme: { ...readTheme(), ...(onWhite && whiteTheme) },
    width: Math.max(minWidth, source.width),
    height: Math.max(minHeight, source.height),
  };
}

async function copied(parts: PictureParts): Promise<string> {
  const picture = new Promise<Blob>((resolve, reject) =>
    canvasPicture(parts).toBlob((blob) =>
      blob === null ? reject(new Error('The picture could not be drawn.')) : resolve(blob),
    ),
  );
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': picture })]);
    return 'The picture was copied.';
  } catch {
    return 'The picture could not be copied. Save it as PNG instead.';
  }
}
