/** Colors of charts: visible against every background, and distinguishable with color blindness. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type Brightness,
  contrast,
  inkOf,
  neutral,
  palettes,
  scales,
} from '../../../client/src/charts/view/palette.ts';

type Triple = readonly [number, number, number];

/** Backgrounds of VS Code's own themes and of high contrast, and white for pictures. */
const backgrounds: Readonly<Record<Brightness, readonly string[]>> = {
  light: ['#ffffff', '#f8f8f8', '#f3f3f3'],
  dark: ['#1f1f1f', '#181818', '#252526', '#000000'],
};

/** Matrices that simulate color blindness in linear RGB (Machado, Oliveira and Fernandes 2009, severity 1). */
const visions: Readonly<Record<string, readonly [Triple, Triple, Triple]>> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

/** The minimum distance in Oklab. Areas at a distance of 0.1 are easily distinguished. */
const apart = 0.1;

function linear(color: string): Triple {
  return [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as unknown as Triple;
}

/** Converts a color, as seen with a vision, to Oklab (Ottosson 2020). */
function seen(color: string, vision: readonly [Triple, Triple, Triple]): Triple {
  const from = linear(color);
  const [r, g, b] = vision.map((row) =>
    Math.min(1, Math.max(0, row[0] * from[0] + row[1] * from[1] + row[2] * from[2])),
  ) as unknown as Triple;
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

const visionName = (name: string) => (name === 'normal' ? 'normal vision' : name);

describe('the colors of charts', () => {
  for (const brightness of ['light', 'dark'] as const) {
    it(`have a contrast of at least 3:1 against ${brightness} backgrounds`, () => {
      for (const color of [...palettes[brightness], neutral[brightness]])
        for (const background of backgrounds[brightness])
          assert.ok(
            contrast(color, background) >= 3,
            `${color} on ${background}: ${contrast(color, background).toFixed(2)}`,
          );
    });

    for (const [name, vision] of Object.entries(visions)) {
      it(`are distinguishable on ${brightness} backgrounds with ${visionName(name)}`, () => {
        const colors = palettes[brightness];
        for (const [index, one] of colors.entries()) {
          for (const other of colors.slice(0, index)) {
            const [a, b] = [seen(one, vision), seen(other, vision)];
            const distance = Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
            assert.ok(distance >= apart, `${one} and ${other}: ${distance.toFixed(3)}`);
          }
        }
      });

      it(`differ from the background in ${brightness} heatmaps with ${visionName(name)}`, () => {
        const lowest = scales[brightness][0] as string;
        for (const background of backgrounds[brightness]) {
          const [a, b] = [seen(lowest, vision), seen(background, vision)];
          const distance = Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
          assert.ok(distance >= apart, `${lowest} on ${background}: ${distance.toFixed(3)}`);
          assert.ok(contrast(lowest, background) >= 1.5, `${lowest} on ${background}`);
        }
      });

      it(`increase in contrast with the value in ${brightness} heatmaps with ${visionName(name)}`, () => {
        const steps = scales[brightness].map((color) => seen(color, vision)[0]);
        const differences = steps.slice(1).map((step, at) => step - (steps[at] as number));
        const sign = brightness === 'dark' ? 1 : -1;
        assert.ok(
          differences.every((difference) => difference * sign > 0.05),
          String(differences),
        );
      });
    }
  }

  it('are repeated with another dash after the last color of the palette', () => {
    const count = palettes.dark.length;
    assert.equal(inkOf(0, 'dark').color, inkOf(count, 'dark').color);
    assert.notDeepEqual(inkOf(0, 'dark').dash, inkOf(count, 'dark').dash);
    assert.notDeepEqual(inkOf(count, 'dark').dash, inkOf(2 * count, 'dark').dash);
  });
});
