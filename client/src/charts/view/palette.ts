/**
 * Series colors. Each has a contrast of at least 3:1 with the backgrounds of its theme (WCAG 2.2, 1.4.11), and any two
 * are distinguishable with protanopia, deuteranopia and tritanopia, as `test/client/charts` checks. Further series
 * reuse the colors with other dashes.
 */

export type Brightness = 'light' | 'dark';

export const palettes: Readonly<Record<Brightness, readonly string[]>> = {
  light: ['#1592be', '#c07706', '#9415b4', '#3a6602', '#fc1192', '#073672', '#6f000e', '#1e3aff'],
  dark: ['#018bb4', '#b06a0d', '#cfa4de', '#2dc53f', '#f2158b', '#fbdf13', '#9b4dff', '#38fcf3'],
};

/** The color of series and categories that combine several, and of the values in heatmap tooltips. */
export const neutral: Readonly<Record<Brightness, string>> = { light: '#767676', dark: '#8c8c8c' };

/** Color scales from low to high. Lightness changes steadily, and even the first color is visible on the background. */
export const scales: Readonly<Record<Brightness, readonly string[]>> = {
  light: ['#94c2e8', '#68a5d8', '#3b82bf', '#195a96', '#0b2b56'],
  dark: ['#1f4e7a', '#2672a8', '#3f9fd2', '#86caec', '#e2f4ff'],
};

const dashes = ['solid', [6, 3], [2, 2]] as const;

export interface Ink {
  readonly color: string;
  readonly dash: 'solid' | number[];
}

/** Returns the color and dash of a slot. Slots number all colors with the first dash, then all with the next dash. */
export function inkOf(slot: number, brightness: Brightness): Ink {
  const colors = palettes[brightness];
  const dash = dashes[Math.floor(slot / colors.length) % dashes.length] ?? 'solid';
  return {
    color: colors[slot % colors.length] as string,
    dash: dash === 'solid' ? 'solid' : [...dash],
  };
}

/** Returns the relative luminance of a color such as `#1e1e1e`, from 0 to 1. */
export function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}
