/** Reads the colors and fonts of VS Code's theme for ECharts. */
import { type Brightness, luminance } from './palette.ts';

export interface Theme {
  readonly brightness: Brightness;
  readonly highContrast: boolean;
  readonly background: string;
  readonly text: string;
  readonly dim: string;
  readonly line: string;
  readonly font: string;
  readonly fontSize: number;
}

export const whiteTheme: Omit<Theme, 'font' | 'fontSize'> = {
  brightness: 'light',
  highContrast: false,
  background: '#ffffff',
  text: '#1f1f1f',
  dim: '#5c5c5c',
  line: '#d4d4d4',
};

export function readTheme(): Theme {
  const style = getComputedStyle(document.body);
  // Skip a transparent background, which a notebook's output page has.
  const background =
    hex(style.backgroundColor) ?? hexOfVariable('--vscode-editor-background') ?? '#1e1e1e';
  const text = hex(style.color) ?? '#cccccc';
  const highContrast = /vscode-high-contrast/.test(document.body.className);
  return {
    brightness: luminance(background) > 0.25 ? 'light' : 'dark',
    highContrast,
    background,
    text,
    dim: (highContrast ? undefined : hexOfVariable('--vscode-descriptionForeground')) ?? text,
    line: mixed(text, background, highContrast ? 0.6 : 0.16),
    font: style.fontFamily,
    fontSize: Number.parseFloat(style.fontSize) || 13,
  };
}

export function onThemeChange(listener: () => void): { disconnect(): void } {
  const observer = new MutationObserver(listener);
  observer.observe(document.body, { attributes: true, attributeFilter: ['class'] });
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['style'] });
  return observer;
}

function hexOfVariable(name: string): string | undefined {
  const value = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  return /^#[0-9a-f]{6}/i.test(value) ? value.slice(0, 7) : hex(value);
}

function hex(color: string): string | undefined {
  const [, red, green, blue, alpha] =
    /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/.exec(color) ?? [];
  if (red === undefined || alpha === '0') return undefined;
  return `#${[red, green, blue].map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`;
}

/** Blends one color over another with an opacity from 0 to 1. */
function mixed(over: string, under: string, share: number): string {
  const parts = [1, 3, 5].map((at) => {
    const [top, bottom] = [over, under].map((color) =>
      Number.parseInt(color.slice(at, at + 2), 16),
    ) as [number, number];
    return Math.round(top * share + bottom * (1 - share))
      .toString(16)
      .padStart(2, '0');
  });
  return `#${parts.join('')}`;
}
