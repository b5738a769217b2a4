// Colours of curves and of the scene, for light and dark pages.

export const darkQuery = window.matchMedia('(prefers-color-scheme: dark)');

const light = ['#1668c7', '#d1481f', '#12855a', '#9035b8', '#b07a00', '#0d8a99', '#c22566', '#5a6270'];
const dark = ['#5aa7ff', '#ff8a5c', '#3fcf94', '#c98bef', '#f0bd4a', '#4fd0de', '#ff7fb0', '#a9b3c0'];

// Never the same twice: after the chosen ones, hues in golden steps with another lightness in each turn.
export function curveColour(index: number): string {
  const chosen = darkQuery.matches ? dark : light;
  if (index < chosen.length) return chosen[index];
  const k = index - chosen.length;
  const hue = (k * 137.508 + 20) % 360;
  const base = darkQuery.matches ? 68 : 38;
  const lightness = base + (Math.floor(k / 9) % 3) * 8;
  return `hsl(${hue.toFixed(0)} ${55 + (k % 3) * 12}% ${lightness}%)`;
}

export interface SceneColours {
  background: number;
  floor: number;
  grid: number;
  body: number;
  driven: number;
  spring: number;
  free: number;
  base: number;
  ghost: number;
  rigid: number;
  wanted: number;
  reached: number;
  force: number;
  surface: number;
  shadow: number;
}

export function sceneColours(): SceneColours {
  return darkQuery.matches
    ? {background: 0x14181e, floor: 0x1b2028, grid: 0x39424e, body: 0xcfd6de, driven: 0x55626f, spring: 0xf59a3c, free: 0x8b97a5, base: 0x3a434e,
       ghost: 0x5aa7ff, rigid: 0xff6b57, wanted: 0x2f5f96, reached: 0x3fe0a0, force: 0xf0bd4a, surface: 0x6f8299, shadow: 0.5}
    : {background: 0xf3f5f8, floor: 0xffffff, grid: 0xc3cad4, body: 0xdfe4ea, driven: 0x46525f, spring: 0xee8a22, free: 0x8793a1, base: 0x6d7884,
       ghost: 0x1668c7, rigid: 0xd93a26, wanted: 0xa9c9ef, reached: 0x0d9a68, force: 0xc98a00, surface: 0x8fa3ba, shadow: 0.2};
}

const rampColours = [[59, 130, 196], [86, 178, 174], [201, 185, 75], [232, 137, 58], [205, 52, 42]];

// From the best (0, blue) to the worst (1, red), for light and dark pages alike.
export function ramp(share: number): string {
  const at = Math.min(1, Math.max(0, share)) * (rampColours.length - 1);
  const i = Math.min(rampColours.length - 2, Math.floor(at));
  return `rgb(${rampColours[i].map((x, c) => Math.round(x + (at - i) * (rampColours[i + 1][c] - x))).join(' ')})`;
}
