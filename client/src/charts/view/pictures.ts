/** The pictures of a chart: on the clipboard, or as content of a file. */
import { canvasPicture, type PictureParts, svgPicture } from './picture.ts';
import { readTheme, whiteTheme } from './theme.ts';

/** The least size, so that a chart in a narrow panel makes a picture that can be read. */
const [minWidth, minHeight] = [640, 320];

export interface PictureSource extends Pick<PictureParts, 'title' | 'subtitle' | 'draw'> {
  readonly size: readonly [width: number, height: number];
}

export interface Pictures {
  svg(onWhite: boolean): string;
  base64(onWhite: boolean): string;
  png(onWhite: boolean): Promise<Blob>;
}

export function picturesOf({ size, ...source }: PictureSource): Pictures {
  const parts = (onWhite: boolean): PictureParts => {
    const theme = readTheme();
    return {
      ...source,
      theme: onWhite ? { ...theme, ...whiteTheme } : theme,
      width: Math.max(minWidth, size[0]),
      height: Math.max(minHeight, size[1]),
    };
  };
  return {
    svg: (onWhite) => svgPicture(parts(onWhite)),
    base64: (onWhite) =>
      canvasPicture(parts(onWhite)).toDataURL('image/png').slice('data:image/png;base64,'.length),
    png: (onWhite) =>
      new Promise((resolve, reject) =>
        canvasPicture(parts(onWhite)).toBlob((blob) =>
          blob === null ? reject(new Error('The picture could not be drawn.')) : resolve(blob),
        ),
      ),
  };
}

/** Puts a picture on the clipboard; returns what to say of it. */
export async function copyPicture(picture: Promise<Blob>): Promise<string> {
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': picture })]);
    return 'The picture was copied';
  } catch {
    return 'The picture could not be copied. Save it as PNG instead';
  }
}
