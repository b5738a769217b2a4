// Numbers for people.

// Three digits and a prefix: "136 k", "0.42", "3.8 µ".
export function prefixed(value: number, digits = 3): [string, string] {
  const size = Math.abs(value);
  if (size === 0) return ['0', ''];
  const steps: [number, string][] = [[1e9, 'G'], [1e6, 'M'], [1e3, 'k'], [1, ''], [1e-3, 'm'], [1e-6, 'µ'], [1e-9, 'n'], [1e-12, 'p']];
  for (const [unit, name] of steps) {
    const limit = unit === 1e3 ? 1e4 : unit;
    if (size >= limit * 0.99999) return [shortened(value / unit, digits), name];
  }
  return [value.toExponential(1), ''];
}

export function shortened(value: number, digits = 3): string {
  return String(Number(value.toPrecision(digits)));
}

export function withUnit(value: number | null | undefined, unit: string, digits = 3): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–';
  if (unit === 'mm' || unit === 'mrad') {
    const base = unit.slice(1);
    const [number, prefix] = prefixed(value / 1000, digits);
    return `${number} ${prefix}${base}`;
  }
  if (unit === '' || unit === '%') return `${shortened(value, digits)} ${unit}`.trim();
  const [number, prefix] = prefixed(value, digits);
  return `${number} ${prefix}${unit}`;
}

// At a tick of an axis without a unit: no prefixes below 1.
export function tickText(value: number): string {
  const [number, prefix] = prefixed(value, 4);
  return prefix === 'm' || prefix === 'µ' ? shortened(value, 4) : `${number}${prefix ? ' ' + prefix : ''}`;
}

export function seconds(t: number): string {
  return t.toFixed(3) + ' s';
}

// "10⁻⁷"
export function powerOfTen(k: number): string {
  if (k === 0) return '1';
  return '10' + (k < 0 ? '⁻' : '') + String(Math.abs(k)).replace(/./g, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)]);
}
